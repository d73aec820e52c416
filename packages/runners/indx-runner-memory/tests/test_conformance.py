"""The runner follows the rules of its port, and a few of its own."""

import logging
import threading

import pytest

from indx_core.errors import ConfigurationError, Unavailable
from indx_runner_memory.provider import runner
from indx_testkit.jobs import JobRunnerKit

PATIENCE = 30


class TestRunner(JobRunnerKit):
    factory = staticmethod(runner)

    def test_a_job_submitted_behind_a_cancelled_one_runs(self):
        started, go, ran = threading.Event(), threading.Event(), []

        def work(key, payload, cancelled):
            started.set()
            go.wait(PATIENCE)
            ran.append((payload["n"], cancelled()))

        with self.runner(work=work) as made:
            made.submit("work", "k", {"n": 1})
            assert started.wait(PATIENCE)
            made.cancel("k")
            made.submit("work", "k", {"n": 2})
            made.submit("work", "k", {"n": 3})
            go.set()
            self.settle(made, "k")
        assert ran == [(1, True), (2, False)]

    def test_a_cancelled_job_that_waits_never_starts(self):
        started, go, ran = threading.Event(), threading.Event(), []

        def work(key, payload, cancelled):
            started.set()
            go.wait(PATIENCE)
            ran.append(key)

        with self.runner(work=work) as made:
            made.submit("work", "first", {})
            assert started.wait(PATIENCE)
            made.submit("work", "second", {})
            made.cancel("second")
            go.set()
            self.settle(made, "second")
        assert ran == ["first"]

    def test_one_job_runs_at_a_time(self):
        together, most = [0], [0]

        def work(key, payload, cancelled):
            together[0] += 1
            most[0] = max(most[0], together[0])
            together[0] -= 1

        with self.runner(work=work) as made:
            for number in range(50):
                made.submit("work", f"k{number}", {})
            for number in range(50):
                self.settle(made, f"k{number}")
        assert most == [1]

    def test_a_job_that_cannot_go_on_now_ends_without_an_alarm(self, caplog):
        def busy(key, payload, cancelled):
            raise Unavailable("nobody is free", code="busy")

        with caplog.at_level(logging.INFO), self.runner(busy=busy) as made:
            made.submit("busy", "k", {})
            self.settle(made, "k")
        assert [(record.levelname, record.exc_info) for record in caplog.records] == [("INFO", None)]
        assert "nobody is free" in caplog.text

    def test_a_job_nobody_registered_is_refused(self):
        with self.runner() as made, pytest.raises(ConfigurationError, match="'work'"):
            made.submit("work", "k", {})

    def test_a_closed_runner_takes_no_jobs(self):
        made = runner()
        made.register("work", lambda *_: None)
        made.close()
        with pytest.raises(Unavailable) as refused:
            made.submit("work", "k", {})
        assert refused.value.code == "busy"
