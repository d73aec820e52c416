"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const canvas = document.getElementById("graph");
  const pen = canvas.getContext("2d");
  const panel = document.getElementById("chunk");
  const find = document.getElementById("find");
  const colors = ["#2f6fde", "#8a8f98", "#1f9d57", "#d9822b", "#9b51c9", "#c93a5b"];
  const hue = (cluster) => (cluster < 0 ? "hsl(0 0% 50%)" : `hsl(${(cluster * 137.5) % 360} 60% 50%)`);
  const shown = data.signals.map(() => true);
  let scale = 1, left = 0, top = 0, chosen = -1, matched = null;

  document.getElementById("count").textContent =
    `${data.nodes.length} of ${data.total} chunks, ${data.edges.length} edges`;
  data.signals.forEach((name, number) => {
    if (!data.edges.some((edge) => edge[3] === number)) return;
    const label = document.createElement("label");
    const box = document.createElement("input");
    const mark = document.createElement("span");
    box.type = "checkbox";
    box.checked = true;
    box.addEventListener("change", () => { shown[number] = box.checked; draw(); });
    mark.className = "mark";
    mark.style.background = colors[number];
    label.append(box, mark, name.replace("_", " "));
    document.getElementById("legend").append(label);
  });

  const place = (node) => {
    const size = Math.min(canvas.width, canvas.height) * 0.92 * scale;
    return [canvas.width / 2 + (node.x - 0.5) * size + left, canvas.height / 2 + (node.y - 0.5) * size + top];
  };

  function draw() {
    pen.clearRect(0, 0, canvas.width, canvas.height);
    for (const [from, to, weight, signal] of data.edges) {
      if (!shown[signal]) continue;
      const near = from === chosen || to === chosen;
      pen.globalAlpha = near ? 0.95 : 0.1 + 0.4 * weight;
      pen.lineWidth = near ? 2 : 1;
      pen.strokeStyle = colors[signal];
      pen.beginPath();
      pen.moveTo(...place(data.nodes[from]));
      pen.lineTo(...place(data.nodes[to]));
      pen.stroke();
    }
    data.nodes.forEach((node, number) => {
      const [x, y] = place(node);
      pen.globalAlpha = matched && !matched.has(number) ? 0.15 : 1;
      pen.fillStyle = hue(node.cluster);
      pen.beginPath();
      pen.arc(x, y, number === chosen ? 8 : 5, 0, 7);
      pen.fill();
    });
    pen.globalAlpha = 1;
  }

  function add(tag, text, parent = panel) {
    const made = document.createElement(tag);
    made.textContent = text;
    parent.append(made);
    return made;
  }

  function choose(number) {
    chosen = number;
    const node = data.nodes[number];
    panel.replaceChildren();
    add("h2", node.section.length ? node.section.join(" › ") : node.id);
    add("p", `${node.id}, document ${node.doc}, cluster ${node.cluster}`);
    add("pre", node.text);
    if (node.entities.length) add("p", `Names: ${node.entities.join(", ")}`);
    add("h3", "Edges");
    data.edges
      .filter((edge) => edge[0] === number || edge[1] === number)
      .sort((a, b) => b[2] - a[2])
      .forEach(([from, to, weight, signal]) => {
        const other = from === number ? to : from;
        const there = data.nodes[other];
        const name = there.section.length ? there.section[there.section.length - 1] : there.id;
        const button = add("button", `${data.signals[signal].replace("_", " ")} ${weight}: ${name}`);
        button.addEventListener("click", () => choose(other));
      });
    draw();
  }

  function nearest(event) {
    const box = canvas.getBoundingClientRect();
    const ratio = canvas.width / box.width;
    const x = (event.clientX - box.left) * ratio, y = (event.clientY - box.top) * ratio;
    let best = -1, least = 15 * ratio;
    data.nodes.forEach((node, number) => {
      const [a, b] = place(node);
      const distance = Math.hypot(a - x, b - y);
      if (distance < least) { least = distance; best = number; }
    });
    return best;
  }

  let held = null, moved = false;
  canvas.addEventListener("pointerdown", (event) => { held = [event.clientX, event.clientY]; moved = false; });
  window.addEventListener("pointerup", () => { held = null; });
  window.addEventListener("pointermove", (event) => {
    if (!held) return;
    const x = event.clientX - held[0], y = event.clientY - held[1];
    if (Math.hypot(x, y) > 3) moved = true;
    if (!moved) return;
    left += x; top += y; held = [event.clientX, event.clientY];
    draw();
  });
  canvas.addEventListener("click", (event) => {
    const number = nearest(event);
    if (!moved && number >= 0) choose(number);
  });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const factor = event.deltaY < 0 ? 1.15 : 1 / 1.15;
    scale *= factor; left *= factor; top *= factor;
    draw();
  }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step && data.nodes.length) {
      event.preventDefault();
      choose((chosen + step + data.nodes.length) % data.nodes.length);
    }
  });
  find.addEventListener("input", () => {
    const wanted = find.value.trim().toLowerCase();
    matched = wanted ? new Set() : null;
    panel.replaceChildren();
    if (matched) {
      data.nodes.forEach((node, number) => {
        if (!`${node.section.join(" ")} ${node.text}`.toLowerCase().includes(wanted)) return;
        matched.add(number);
        if (matched.size <= 50) {
          const name = node.section.length ? node.section.join(" › ") : node.text.slice(0, 80);
          add("button", name).addEventListener("click", () => choose(number));
        }
      });
      if (!matched.size) add("p", "No chunk holds that.");
    }
    draw();
  });
  const fit = () => { canvas.width = canvas.clientWidth; canvas.height = canvas.clientHeight; draw(); };
  window.addEventListener("resize", fit);
  fit();
})();
