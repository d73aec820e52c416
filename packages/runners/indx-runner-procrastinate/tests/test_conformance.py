"""The runner follows the rules of its port, and a few of its own."""

import threading

from indx_core.errors import Unavailable
from indx_runner_procrastinate.provider import runner
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
        assert [n for n, _ in ran] == [1, 2]
        assert ran[1] == (2, False)

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
            self.settle(made, "first")
        assert ran == ["first"]

    def test_a_process_that_registers_nothing_submits_and_asks_only(self):
        ran = threading.Event()
        submits = runner()
        submits.submit("work", "k", {})
        assert submits.running("k")
        with self.runner(work=lambda *_: ran.set()) as works:
            assert ran.wait(PATIENCE)
            self.settle(works, "k")
        assert not submits.running("k")
        submits.close()

    def test_a_job_registered_twice_does_what_was_said_last(self):
        first, second = threading.Event(), threading.Event()
        with self.runner(work=lambda *_: first.set()) as made:
            made.register("work", lambda *_: second.set())
            made.submit("work", "k", {})
            assert second.wait(PATIENCE)
        assert not first.is_set()

    def test_a_job_in_hand_of_a_process_that_ends_goes_to_another(self):
        started, seen = threading.Event(), []

        def endless(key, payload, cancelled):
            started.set()
            while not cancelled():
                pass
            seen.append("told")

        ending = runner()
        ending.register("work", endless)
        ending.submit("work", "k", {"n": 1})
        assert started.wait(PATIENCE)
        ending.close()
        assert seen == ["told"]
        with self.runner(work=lambda key, payload, cancelled: seen.append((key, payload))) as other:
            assert other.running("k")
            self.settle(other, "k")
        assert seen == ["told", ("k", {"n": 1})]

    def test_a_job_that_cannot_go_on_now_waits_and_is_tried_again(self):
        tried = []

        def work(key, payload, cancelled):
            tried.append(key)
            if len(tried) == 1:
                raise Unavailable("nobody is free", code="busy")

        with self.runner(work=work) as made:
            made.submit("work", "k", {})
            self.settle(made, "k")
        assert tried == ["k", "k"]

    def test_many_who_submit_at_one_moment_start_one_job(self):
        ran, together = [], threading.Barrier(6)
        submitting = runner()

        def submit():
            together.wait(PATIENCE)
            submitting.submit("work", "k", {})

        threads = [threading.Thread(target=submit) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        submitting.close()
        with self.runner(work=lambda key, *_: ran.append(key)) as made:
            self.settle(made, "k")
        assert ran == ["k"]

    def test_what_was_closed_connects_again_when_it_is_used(self):
        ran = threading.Event()
        made = runner()
        made.submit("work", "k", {})
        made.close()
        made.close()
        assert made.running("k")
        made.register("work", lambda *_: ran.set())
        assert ran.wait(PATIENCE)
        made.close()
