"""How pages keep up: with others, over cuts and restarts, hidden and shown, with tokens."""

import random
import time
import unittest

from playwright.sync_api import expect

from .support import PageTest, Server


class SharingTests(PageTest):
    def test_another_clients_change_is_seen_within_a_second(self):
        page = self.live(self.open("table=tasks"))
        session = self.session_of(page)
        delays = []
        for n in range(5):
            start = time.monotonic()
            self.server.command(session, "insert", {"rows": [{"id": f"x{n}", "data": {"title": "Seen"}}]})
            page.locator(f"[data-id=x{n}]").wait_for(timeout=5000)
            delays.append(time.monotonic() - start)
        self.assertLess(min(delays), 1)

    def test_two_tabs_and_a_script_agree(self):
        first = self.live(self.open("table=tasks"))
        session = self.session_of(first)
        second = self.live(self.open(f"table=tasks&session={session}"))
        seed = random.randrange(2**32)
        choose = random.Random(seed)
        for n in range(200):
            ids = [row["id"] for row in self.server.snapshot(session)["rows"] if "id" in row]
            command, body = choose.choice([
                ("insert", {"rows": [{"id": f"n{n}", "data": {"title": f"Row {n}"}}], "at": choose.randint(0, len(ids))}),
                ("delete", {"ids": choose.sample(ids, min(len(ids), 1))}) if ids else ("insert", {"rows": [{"data": {}}]}),
                ("move", {"id": choose.choice(ids), "to": choose.randrange(len(ids))}) if ids else ("transition", {"to": "populated"}),
                ("update", {"rows": [{"id": choose.choice(ids), "merge": {"done": True}}]}) if ids else ("insert", {"rows": [{"data": 1}]}),
                ("replace", {"rows": [{"id": id, "data": {"title": id}} for id in choose.sample(ids, len(ids))]}),
            ])
            self.server.command(session, command, body)
        for page in (first, second):
            self.expect_rows_of(page, session)
        print(f"\ntwo tabs agree, seed {seed}")

    def test_what_one_tab_does_the_other_shows(self):
        first = self.live(self.open("table=tasks"))
        second = self.live(self.open(f"table=tasks&session={self.session_of(first)}"))
        first.get_by_role("button", name="Insert").click()
        first.get_by_role("textbox", name="title").fill("From the first")
        first.keyboard.press("Enter")
        expect(second.locator("li[data-id]")).to_have_text(["From the first"])
        second.locator("li[data-id]").hover()
        second.locator("li[data-id]").get_by_role("button", name="Delete").click()
        expect(first.locator("[data-placeholder=empty]")).to_be_visible()

    def test_a_hidden_page_closes_its_stream_and_catches_up_when_shown(self):
        page = self.context.new_page()
        page.clock.install()
        page.add_init_script("""let hidden = false
          Object.defineProperty(document, 'hidden', { get: () => hidden })
          window.setHidden = (value) => { hidden = value; document.dispatchEvent(new Event('visibilitychange')) }""")
        page.goto(f"{self.server.base}/?table=tasks")
        self.live(page)
        session = self.session_of(page)
        page.evaluate("setHidden(true)")
        page.clock.fast_forward(29_000)
        expect(page.locator(".connection")).to_have_text("Live")
        page.clock.fast_forward(2_000)
        expect(page.locator(".connection")).to_have_text("Paused")
        self.server.command(session, "insert", {"rows": [{"id": "a", "data": {"title": "Meanwhile"}}]})
        self.assertEqual(0, page.locator("[data-id]").count())
        with page.expect_request("**/changes?since=*"):
            page.evaluate("setHidden(false)")
        expect(page.locator("[data-id=a]")).to_have_count(1)
        self.live(page)


class RestartTests(PageTest):
    # The browser says of each attempt that nobody answered; that is what happened.
    expected_messages = ("net::ERR_", "404 (Not Found)")

    def survive(self, server, keeps_rows):
        self.server = server
        self.addCleanup(server.remove)
        page = self.live(self.open("table=elements"))
        session = self.session_of(page)
        page.evaluate("window.sameDocument = true")
        server.command(session, "delete", {"ids": ["He"]})
        expect(page.locator("[data-id=He]")).to_have_count(0)
        server.stop()
        expect(page.locator(".connection")).to_contain_text("trying again")
        expect(page.locator("[data-id=H]")).to_be_visible()
        server.start()
        self.live(page)
        self.expect_rows_of(page, session)
        self.assertEqual(0 if keeps_rows else 1, page.locator("[data-id=He]").count())
        server.command(session, "delete", {"ids": ["Li"]})
        expect(page.locator("[data-id=Li]")).to_have_count(0)
        self.assertTrue(page.evaluate("window.sameDocument"), "the page was not loaded again")

    def test_a_server_that_forgot_the_list_opens_it_again(self):
        self.survive(Server(store="memory:"), keeps_rows=False)

    def test_a_server_that_kept_the_list_goes_on(self):
        try:
            server = Server(store="sqlite:list.db")
        except RuntimeError as error:
            self.skipTest(f"without a durable store: {error}")
        self.survive(server, keeps_rows=True)

    def test_a_page_that_is_opened_before_the_server_waits_for_it(self):
        server = Server()
        self.server = server
        self.addCleanup(server.remove)
        page = self.open("table=elements")
        self.live(page)
        session = self.session_of(page)
        page.route("**/v1/tables", lambda route: route.abort())
        page.goto(f"{server.base}/?table=elements&session={session}")
        expect(page.get_by_text("The server does not answer")).to_be_visible()
        page.unroute("**/v1/tables")
        self.live(page)


class TokenTests(PageTest):
    environment = {"ROWCAST_TOKEN": "open-sesame"}
    expected_messages = ("401 (Unauthorized)",)

    def test_the_page_asks_until_the_token_is_right_and_keeps_it_in_this_tab(self):
        page = self.open("table=tasks")
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("A token, please")
        dialog.get_by_label("token").fill("wrong")
        page.keyboard.press("Enter")
        expect(dialog).to_contain_text("did not accept")
        dialog.get_by_label("token").fill("open-sesame")
        page.keyboard.press("Enter")
        self.live(page)
        self.assertEqual("open-sesame", page.evaluate("sessionStorage.getItem('rowcast.token')"))
        self.assertEqual(0, page.evaluate("localStorage.length"))
        self.assertNotIn("sesame", page.url)
        page.reload()
        self.live(page)

    def test_a_token_in_the_address_is_taken_and_stripped(self):
        page = self.context.new_page()
        page.goto(f"{self.server.base}/?table=tasks#token=open%2Dsesame")
        self.live(page)
        self.assertNotIn("token", page.url)
        self.assertIn("session=", page.url)
        self.server.command(self.session_of(page), "insert", {"rows": [{"id": "a", "data": {"title": "A"}}]})
        expect(page.locator("[data-id=a]")).to_be_visible()


class ServingTests(PageTest):
    def test_the_page_is_strict_and_its_files_last(self):
        page = self.context.new_page()
        answers = {}
        page.on("response", lambda answer: answers.__setitem__(answer.url.removeprefix(self.server.base), answer))
        page.goto(self.server.base)
        expect(page.get_by_role("heading", name="Rowcast")).to_be_visible()
        policy = answers["/"].headers["content-security-policy"]
        self.assertIn("default-src 'none'", policy)
        self.assertNotIn("unsafe", policy)
        self.assertEqual("no-cache", answers["/"].headers["cache-control"])
        files = {path: answer for path, answer in answers.items() if path.startswith("/client/")}
        self.assertGreater(len(files), 8)
        for path, answer in files.items():
            self.assertEqual(200, answer.status, path)
            self.assertIn("immutable", answer.headers["cache-control"], path)
        self.assertNotIn("/favicon.ico", answers)


if __name__ == "__main__":
    unittest.main()
