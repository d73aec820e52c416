// A model of one file behind OpenAI's chat interface, on this machine alone; answers keep to a JSON schema where one
// is given. Started by lanes.py:  node small_model.mjs MODULES MODEL.gguf
import {createServer} from "node:http";
import {createRequire} from "node:module";
import {pathToFileURL} from "node:url";

const [modules, modelPath] = process.argv.slice(2);
const found = createRequire(`${modules}/`).resolve("node-llama-cpp");
const {getLlama, LlamaChatSession} = await import(pathToFileURL(found).href);
const llama = await getLlama({gpu: false, build: "never", logLevel: "error"});
const model = await llama.loadModel({modelPath});
const context = await model.createContext({contextSize: 2048, threads: 1}); // more wait for each other on a busy machine

const MOST = 500; // tokens an answer may have; a model this small repeats itself

let turn = Promise.resolve(); // one at a time: there is one sequence

async function answer({messages, max_tokens: maxTokens, response_format: format}) {
    const schema = format?.json_schema?.schema;
    const grammar = schema && await llama.createGrammarForJsonSchema(schema);
    const sequence = context.getSequence();
    try {
        const session = new LlamaChatSession({contextSequence: sequence, systemPrompt: messages[0].content});
        const result = await session.promptWithMeta(messages.at(-1).content, {
            grammar, maxTokens: Math.min(maxTokens ?? MOST, MOST), temperature: 0, repeatPenalty: {penalty: 1.2, lastTokens: 256},
        });
        const finish_reason = result.stopReason === "maxTokens" ? "length" : "stop";
        return {choices: [{index: 0, finish_reason, message: {role: "assistant", content: result.responseText}}]};
    } finally {
        sequence.dispose();
    }
}

const server = createServer((request, response) => {
    let body = "";
    request.on("data", (piece) => { body += piece; });
    request.on("end", () => {
        turn = turn.then(async () => {
            const made = await answer(JSON.parse(body));
            const usage = {prompt_tokens: 1, completion_tokens: 1, total_tokens: 2};
            response.writeHead(200, {"content-type": "application/json"});
            response.end(JSON.stringify({id: "1", object: "chat.completion", created: 1, model: "small", usage, ...made}));
        }).catch((error) => {
            response.writeHead(500, {"content-type": "application/json"});
            response.end(JSON.stringify({error: {message: String(error)}}));
        });
    });
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/v1`));
