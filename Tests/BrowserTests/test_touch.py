"""What fingers do: pull, drag, and what is neither."""

import unittest

from playwright.sync_api import expect

from .support import PageTest


class TouchTests(PageTest):
    """Fingers, through Chromium's own protocol: Playwright's taps cannot pull."""

    def phone(self, query):
        context = self.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
        page = self.live(self.open(query, context))
        return page, context.new_cdp_session(page)

    @staticmethod
    def pull(fingers, distance, x=195, y=200, end="touchEnd"):
        fingers.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        for step in range(1, 9):
            fingers.send("Input.dispatchTouchEvent", {
                "type": "touchMove", "touchPoints": [{"x": x, "y": y + distance * step / 8}]})
        if end:
            fingers.send("Input.dispatchTouchEvent", {"type": end, "touchPoints": []})

    def test_pulling_down_from_the_top_refreshes_once(self):
        page, fingers = self.phone("table=announcements")
        session = self.session_of(page)
        self.server.command(session, "delete", {"ids": ["welcome"]})
        expect(page.locator("[data-id=welcome]")).to_have_count(0)
        self.pull(fingers, 300, end=None)
        expect(page.locator(".pull.ready")).to_have_css("opacity", "1")
        fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        expect(page.locator("[data-id=welcome]")).to_have_count(1)
        expect(page.locator(".pull")).to_have_css("opacity", "0")
        self.assertEqual(1, self.posts.count("refresh"))
        self.expect_rows_of(page, session)

    def test_what_is_no_pull_does_not_refresh(self):
        page, fingers = self.phone("table=elements")
        self.pull(fingers, 60)
        self.pull(fingers, 300, end="touchCancel")
        self.pull(fingers, -300)
        self.becomes(page, True, lambda: page.evaluate("scrollY") > 100)
        self.pull(fingers, 120)
        page.evaluate("scrollTo(0, 0)")
        page.get_by_role("button", name="Changes").click()
        drawer = page.locator(".drawer").bounding_box()
        self.pull(fingers, 250, y=drawer["y"] + 20)
        page.get_by_role("button", name="Close").click()
        # What is asked for behind them all comes alone.
        page.get_by_role("button", name="Refresh").click()
        self.becomes(page, 1, lambda: self.posts.count("refresh"))

    def test_a_row_is_dragged_by_a_finger_and_the_page_is_not_pulled(self):
        page, fingers = self.phone("table=tasks")
        session = self.session_of(page)
        self.server.command(session, "insert", {"rows": [{"id": id, "data": {"title": id.upper()}} for id in "abcd"]})
        page.locator("[data-id=a] .title").tap()
        handle = page.locator("[data-id=a]").get_by_role("button", name="Move")
        expect(handle).to_be_visible()
        start = handle.bounding_box()
        self.assertGreaterEqual(start["y"], page.locator("[data-id=a] .title").bounding_box()["y"] + 20, "it covers no text")
        target = page.locator("[data-id=d]").bounding_box()
        x, y = start["x"] + start["width"] / 2, start["y"] + start["height"] / 2
        self.pull(fingers, target["y"] + target["height"] - 4 - y, x, y)
        self.becomes(page, ["b", "c", "d", "a"], lambda: self.ids(page))
        self.assertEqual(0, self.posts.count("refresh"))
        self.expect_rows_of(page, session)


if __name__ == "__main__":
    unittest.main()
