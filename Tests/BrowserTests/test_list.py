"""What one sees and does on the page of a list."""

import json
import re
import time
import unittest

from playwright.sync_api import expect

from .support import PageTest


class ListTests(PageTest):
    def test_the_chooser_names_the_tables_and_opens_them(self):
        page = self.context.new_page()
        page.goto(self.server.base)
        expect(page.get_by_role("heading", name="Rowcast")).to_be_visible()
        expect(page.get_by_role("link", name="<i>Rude</i>")).to_be_visible()
        page.get_by_role("link", name="The chemical elements").click()
        self.live(page)
        expect(page).to_have_title(re.compile("The chemical elements"))
        self.assertRegex(page.url, r"\?table=elements&session=[A-Za-z0-9_-]{22}$")

    def test_an_unknown_table_leads_to_the_chooser(self):
        page = self.open("table=nothing")
        expect(page.get_by_text("There is no table “nothing” here.")).to_be_visible()
        expect(page.get_by_role("link", name="Tasks")).to_be_visible()

    def test_rows_are_elements_of_a_list_with_one_placeholder(self):
        page = self.live(self.open("table=elements"))
        rows = page.get_by_role("list", name="The chemical elements").get_by_role("listitem")
        expect(rows).to_have_count(21)
        self.assertEqual(["H", "He", "Li"], self.ids(page)[:3])
        expect(page.locator("[data-placeholder]")).to_have_count(1)
        expect(page.locator("[data-placeholder=more]").get_by_role("button", name="Load more")).to_be_visible()
        expect(page.locator("[data-id=Fe]")).to_have_count(0)

    def test_scrolling_loads_to_the_end_and_asks_for_each_page_once(self):
        page = self.live(self.open("table=elements"))
        session = self.session_of(page)
        deadline = time.monotonic() + 20
        while page.locator("[data-placeholder=end]").count() == 0 and time.monotonic() < deadline:
            page.mouse.wheel(0, 3000)
            page.wait_for_timeout(50)
        expect(page.locator("[data-placeholder=end]")).to_contain_text("That is the first hundred")
        self.expect_rows_of(page, session)
        self.assertEqual(100, len(set(self.ids(page))))
        self.assertEqual(4, self.posts.count("load-more"))

    def test_two_tabs_that_both_want_more_ask_for_each_page_once(self):
        first = self.live(self.open("table=elements"))
        session = self.session_of(first)
        second = self.live(self.open(f"table=elements&session={session}"))
        before = self.server.snapshot(session)["itemCount"]
        for page in (first, second):
            page.locator("[data-placeholder]").scroll_into_view_if_needed()
        for page in (first, second):
            expect(page.locator("[data-id=Sc]")).to_have_count(1)
        self.assertIn(self.server.snapshot(session)["itemCount"], (before + 20, before + 40, before + 60))
        self.expect_rows_of(first, session)
        self.expect_rows_of(second, session)

    def test_insert_edit_and_delete(self):
        page = self.live(self.open("table=tasks"))
        session = self.session_of(page)
        expect(page.locator("[data-placeholder=empty]")).to_contain_text("Tap + above to add an item")
        for title in ("Water the plants", "Call Ada"):
            page.get_by_role("button", name="Insert").click()
            page.get_by_role("textbox", name="title").fill(title)
            page.keyboard.press("Enter")
            expect(page.get_by_role("dialog")).to_have_count(0)
        rows = page.locator("li[data-id]")
        expect(rows).to_have_text(["Call Ada", "Water the plants"])
        expect(page.locator("[data-placeholder=hidden]")).to_be_hidden()

        rows.first.hover()
        rows.first.get_by_role("button", name="Edit").click()
        page.get_by_role("textbox", name="title").fill("Call Tom")
        page.get_by_role("button", name="Save").click()
        expect(rows.first).to_have_text("Call Tom")

        rows.first.get_by_role("checkbox").check()
        expect(rows.first.locator(".done")).to_be_visible()
        self.assertEqual({"title": "Call Tom", "done": True}, self.server.snapshot(session)["rows"][0]["data"])

        rows.first.get_by_role("button", name="Delete").click()
        expect(rows).to_have_text(["Water the plants"])
        rows.first.get_by_role("button", name="Delete").click()
        expect(page.locator("[data-placeholder=empty]")).to_be_visible()
        self.expect_rows_of(page, session)

    def test_a_refused_insert_says_why_and_keeps_what_was_entered(self):
        page = self.live(self.open("table=messages"))
        page.get_by_role("button", name="Insert").click()
        page.get_by_label("kind of row").select_option("UserCell")
        page.get_by_role("button", name="Add").click()
        expect(page.get_by_role("dialog")).to_contain_text("“name” is required")
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)

    def test_edits_send_only_what_was_changed(self):
        page = self.live(self.open("table=tasks"))
        session = self.session_of(page)
        body = '{"rows":[{"id":"a","data":{"title":"A","exact":12345678901234567890}}]}'
        self.server.ask("POST", f"/v1/sessions/{session}/insert", json.loads(body))
        row = page.locator("[data-id=a]")
        row.hover()
        row.get_by_role("button", name="Edit").click()
        page.get_by_role("textbox", name="title").fill("B")
        page.keyboard.press("Enter")
        expect(row.locator(".title")).to_have_text("B")
        self.assertEqual({"title": "B", "exact": 12345678901234567890}, self.server.snapshot(session)["rows"][0]["data"])

    def test_refresh_keeps_the_rows_until_the_new_ones_are_there(self):
        page = self.live(self.open("table=announcements"))
        session = self.session_of(page)
        self.server.command(session, "delete", {"ids": ["welcome"]})
        expect(page.locator("[data-id=welcome]")).to_have_count(0)
        element = page.locator("[data-id=csv]").element_handle()
        page.get_by_role("button", name="Refresh").click()
        expect(page.locator("[data-id=welcome]")).to_have_count(1)
        self.assertTrue(page.evaluate("row => row.isConnected", element))
        self.expect_rows_of(page, session)

    def test_refresh_at_once(self):
        page = self.live(self.open("table=elements"))
        session = self.session_of(page)
        page.get_by_role("button", name="More", exact=True).click()
        page.get_by_label("Clear the rows first").check()
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Changes").click()
        page.get_by_role("button", name="Refresh").click()
        # Both changes may come in one answer, too fast to be seen in the list.
        expect(page.locator(".entry").nth(1)).to_contain_text("refresh")
        expect(page.locator(".entry").nth(1)).to_contain_text("loading")
        expect(page.locator("[data-placeholder=more]")).to_have_count(1)
        self.expect_rows_of(page, session)

    def test_retry(self):
        page = self.live(self.open("table=flaky"))
        session = self.session_of(page)
        expect(page.get_by_role("button", name="Load more")).to_have_text("Mehr zeigen")
        good = (self.server.folder / "flaky.json").read_text()
        self.server.write("flaky.json", "{")
        try:
            page.locator("[data-placeholder]").scroll_into_view_if_needed()
            retry = page.locator("[data-placeholder=retry]")
            expect(retry).to_contain_text("Noch einmal?")
            page.wait_for_timeout(300)
            self.assertEqual(1, self.posts.count("load-more"), "a failed page is not asked for again by itself")
        finally:
            self.server.write("flaky.json", good)
        retry.get_by_role("button", name="Retry").click()
        expect(page.locator("[data-id='25']")).to_have_count(1)
        self.expect_rows_of(page, session)

    def test_error_and_its_retry(self):
        good = (self.server.folder / "flaky.json").read_text()
        self.server.write("flaky.json", "{")
        try:
            page = self.live(self.open("table=flaky"))
            expect(page.locator("[data-placeholder=error]")).to_contain_text("Geht nicht")
        finally:
            self.server.write("flaky.json", good)
        page.get_by_role("button", name="Retry").click()
        expect(page.locator("[data-id='0']")).to_have_count(1)

    def test_a_state_of_the_table_is_entered_and_left(self):
        page = self.live(self.open("table=tasks"))
        session = self.session_of(page)
        self.server.command(session, "insert", {"rows": [{"id": "a", "data": {"title": "A"}}]})
        page.get_by_role("button", name="More", exact=True).click()
        page.get_by_role("button", name="Transition to maintenance").click()
        page.get_by_label("message").fill("Back at noon")
        page.get_by_role("button", name="Enter").click()
        notice = page.locator("[data-placeholder=maintenance]")
        expect(notice).to_contain_text("Back soon")
        expect(notice).to_contain_text("Back at noon")
        expect(page.locator("[data-id]")).to_have_count(0)
        page.get_by_role("button", name="More", exact=True).click()
        expect(page.get_by_role("button", name="Transition to loading")).to_be_disabled()
        page.get_by_role("button", name="Transition to populated").click()
        expect(page.locator("[data-id=a]")).to_have_count(1)
        self.expect_rows_of(page, session)

    def test_rows_that_a_client_brings(self):
        page = self.live(self.open("table=tasks"))
        session = self.session_of(page)
        self.server.command(session, "insert", {"rows": [{"id": "a", "data": {"title": "A"}}]})
        page.get_by_role("button", name="Refresh").click()
        page.get_by_role("button", name="These are all").click()
        expect(page.get_by_text("waits for a client")).to_have_count(0)
        self.assertIsNone(self.server.snapshot(session)["loading"])
        self.expect_rows_of(page, session)

    def test_select_is_shared(self):
        page = self.live(self.open("table=elements"))
        session = self.session_of(page)
        page.locator("[data-id=Li] .title").click()
        expect(page.locator("[aria-current]")).to_have_attribute("data-id", "Li")
        self.assertEqual("Li", self.server.snapshot(session)["selected"])
        self.server.command(session, "select", {"id": "He"})
        expect(page.locator("[aria-current]")).to_have_attribute("data-id", "He")

    def test_drag(self):
        page = self.live(self.open("table=elements"))
        session = self.session_of(page)
        page.locator("[data-id=H]").hover()
        handle = page.locator("[data-id=H]").get_by_role("button", name="Move").bounding_box()
        target = page.locator("[data-id=Be]").bounding_box()
        page.mouse.move(handle["x"] + 15, handle["y"] + 15)
        page.mouse.down()
        page.mouse.move(handle["x"] + 15, target["y"] + 10, steps=5)
        page.mouse.move(handle["x"] + 15, target["y"] + target["height"] - 8, steps=3)
        page.mouse.up()
        expect(page.locator("li[data-id]").nth(3)).to_have_attribute("data-id", "H")
        self.assertEqual(["He", "Li", "Be", "H"], self.ids(page)[:4])
        self.expect_rows_of(page, session)

    def test_markup_in_data_is_text(self):
        page = self.live(self.open("table=rude"))
        expect(page.get_by_role("heading", name="<i>Rude</i>")).to_be_visible()
        row = page.locator("li[data-id]").first
        expect(row).to_contain_text("<script>alert(1)</script>")
        expect(row).to_contain_text("<b>bold</b>")
        self.assertEqual(0, page.locator(".rows b, .rows script, .rows i, .rows img").count())
        self.assertEqual("<img src=x onerror=alert(1)>", row.get_attribute("data-id"))

    def test_an_outside_image_is_asked_for_only_when_wanted(self):
        page = self.live(self.open("table=messages"))
        self.server.command(self.session_of(page), "insert", {"at": 0, "rows": [
            {"id": "far", "cell": "ImageCell", "data": {"name": "A", "image": "https://images.example/x.png"}}]})
        row = page.locator("[data-id=far]")
        expect(row.get_by_role("button", name="Show the picture from images.example")).to_be_visible()
        self.assertEqual(0, row.locator("img").count())

    def test_the_drawer_shows_each_change(self):
        page = self.live(self.open("table=tasks"))
        session = self.session_of(page)
        page.get_by_role("button", name="Changes").click()
        self.server.command(session, "insert", {"rows": [{"id": "a", "data": {"title": "Rest"}}]})
        entry = page.locator(".entry").first
        expect(entry).to_contain_text("insert")
        expect(entry).to_contain_text("Rest")
        entry.get_by_text("JSON").click()
        expect(entry.locator("pre")).to_contain_text('"cause": "insert"')

    def test_an_ended_session_says_so_and_starts_again(self):
        page = self.live(self.open("table=tasks"))
        self.server.ask("DELETE", f"/v1/sessions/{self.session_of(page)}")
        expect(page.get_by_text("This list has ended.")).to_be_visible()
        page.get_by_role("button", name="Start again").click()
        self.live(page)
        expect(page.locator("[data-placeholder=empty]")).to_be_visible()

    def test_it_fits_a_narrow_window(self):
        context = self.new_context(viewport={"width": 390, "height": 844})
        for table in ("elements", "messages", "tasks", "announcements", "rude"):
            page = self.live(self.open(f"table={table}", context))
            self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 390, table)


class KeyboardTests(PageTest):
    def test_all_is_done_by_keyboard(self):
        page = self.live(self.open("table=tasks"))
        session = self.session_of(page)
        self.server.command(session, "insert", {"rows": [{"id": id, "data": {"title": id.upper()}} for id in "abcd"]})
        expect(page.locator("li[data-id]")).to_have_count(4)
        for _ in range(12):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.dataset.id ?? null") is not None:
                break
        focused = lambda: page.evaluate("document.activeElement.dataset.id ?? document.activeElement.dataset.does ?? null")
        first = focused()
        self.assertIsNotNone(first, "the Tab key comes to a row")
        page.keyboard.press("Home")
        self.becomes(page, "a", focused)
        self.assertNotEqual("none", page.evaluate("getComputedStyle(document.activeElement).outlineStyle"))
        page.keyboard.press("ArrowDown")
        self.becomes(page, "b", focused)
        page.keyboard.press("Enter")
        expect(page.locator("[aria-current]")).to_have_attribute("data-id", "b")
        page.keyboard.press("Alt+ArrowDown")
        expect(page.locator("li[data-id]").nth(2)).to_have_attribute("data-id", "b")
        self.becomes(page, "b", focused)
        page.keyboard.press("Delete")
        expect(page.locator("[data-id=b]")).to_have_count(0)
        self.becomes(page, "d", focused, "the focus goes to the row that takes its place")
        page.keyboard.press("F2")
        expect(page.get_by_role("dialog")).to_be_visible()
        page.keyboard.press("Control+a")
        page.keyboard.type("Done by keys")
        page.keyboard.press("Enter")
        expect(page.locator("[data-id=d]")).to_contain_text("Done by keys")
        self.becomes(page, "d", focused, "the focus comes back from the dialog")
        for name in ("Select", "Edit", "Move"):
            for _ in range(3):
                page.keyboard.press("Tab")
                if focused() == name:
                    break
            self.assertEqual(name, focused())
        page.keyboard.press("ArrowUp")
        expect(page.locator("li[data-id]").nth(1)).to_have_attribute("data-id", "d")
        self.becomes(page, "Move", focused, "the focus stays on the handle of a row that moves")
        self.expect_rows_of(page, session)

    def test_rows_that_others_move_keep_their_element_and_the_focus(self):
        page = self.live(self.open("table=elements"))
        session = self.session_of(page)
        page.locator("[data-id=C]").focus()
        element = page.locator("[data-id=C]").element_handle()
        for command, body in (("move", {"id": "C", "to": 0}), ("update", {"rows": [{"id": "C", "merge": {"name": "Coal"}}]}),
                              ("insert", {"at": 0, "rows": [{"id": "X", "data": {"name": "X"}}]}), ("move", {"id": "H", "to": 9})):
            self.server.command(session, command, body)
        expect(page.locator("[data-id=C]")).to_contain_text("Coal")
        self.expect_rows_of(page, session)
        self.assertTrue(page.evaluate("row => row.isConnected && document.activeElement === row && row.dataset.id === 'C'", element))

    def test_a_live_region_tells_of_loading_empty_and_error(self):
        page = self.live(self.open("table=tasks"))
        session = self.session_of(page)
        region = page.locator("#announcer")
        self.assertEqual("polite", region.get_attribute("aria-live"))
        self.server.command(session, "transition", {"to": "loading"})
        expect(region).to_have_text("Loading tasks…")
        self.server.command(session, "transition", {"to": "error"})
        expect(region).to_contain_text("Tasks could not be loaded")
        self.server.command(session, "transition", {"to": "empty"})
        expect(region).to_have_text("Tap + above to add an item")


if __name__ == "__main__":
    unittest.main()
