"""How changes are drawn: with motion, without shifting what is read, and smoothly however long the list is."""

import unittest

from playwright.sync_api import expect

from .support import PageTest


class MotionTests(PageTest):
    count = "document.getAnimations().filter(each => !(each instanceof CSSAnimation) && !(each instanceof CSSTransition)).length"

    def moves(self, **options):
        page = self.live(self.open("table=elements", self.new_context(**options)))
        session = self.session_of(page)
        page.evaluate(f"""() => {{ window.most = 0; const look = () => {{ window.most = Math.max(window.most, {self.count});
          requestAnimationFrame(look) }}; look() }}""")
        self.server.command(session, "delete", {"ids": ["He"]})
        self.server.command(session, "move", {"id": "C", "to": 0})
        self.expect_rows_of(page, session)
        page.wait_for_timeout(500)
        self.assertEqual(0, page.locator(".ghosts > *").count(), "what went out is gone")
        return page.evaluate("window.most")

    def test_changes_move(self):
        self.assertGreater(self.moves(), 0)

    def test_nothing_moves_for_those_who_asked_for_less(self):
        self.assertEqual(0, self.moves(reduced_motion="reduce"))

    def test_rows_above_do_not_shift_what_is_read(self):
        page = self.live(self.open("table=elements"))
        session = self.session_of(page)
        self.expect_rows_of(page, session)
        page.evaluate("scrollTo(0, 400)")
        self.wait_for(page, "scrollY === 400 && document.getAnimations().every((each) => each.playState !== 'running')")
        top = page.locator("[data-id=O]").bounding_box()["y"]
        self.server.command(session, "insert", {"at": 0, "rows": [{"data": {"name": "New"}} for _ in range(5)]})
        self.expect_rows_of(page, session)
        shift = lambda: abs(top - page.locator("[data-id=O]").bounding_box()["y"])
        self.becomes(page, True, lambda: shift() <= 2, "the row that is read stays where it is")


class LongListTests(PageTest):
    def test_ten_thousand_rows_stay_smooth(self):
        page = self.context.new_page()
        page.add_init_script("""window.long = []; new PerformanceObserver(list =>
          window.long.push(...list.getEntries().map(each => each.duration))).observe({ type: 'longtask', buffered: true })""")
        page.goto(f"{self.server.base}/?table=long")
        self.live(page)
        session = self.session_of(page)
        expect(page.locator(".count")).to_have_text("10,000 rows")
        self.assertLess(page.locator("li[data-id]").count(), 500)
        expect(page.locator("[data-id=r0]")).to_contain_text("Row 0")
        page.wait_for_timeout(300)
        protocol = self.context.new_cdp_session(page)
        protocol.send("Performance.enable", {"timeDomain": "threadTicks"})
        work = lambda: next(each["value"] for each in protocol.send("Performance.getMetrics")["metrics"]
                            if each["name"] == "TaskDuration") * 1000
        page.evaluate("window.long.length = 0")
        before = work()
        for _ in range(40):
            page.mouse.wheel(0, 2500)
            page.wait_for_timeout(20)
        page.wait_for_timeout(200)
        while_scrolling = page.evaluate("window.long")
        scrolling = (work() - before) / 40
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight / 2)")
        page.wait_for_timeout(300)
        middle = page.evaluate("""document.elementFromPoint(innerWidth / 2, innerHeight / 2).closest('li')?.innerText ?? ''""")
        self.assertIn("Row", middle, "what one jumps to is drawn")
        page.evaluate("window.long.length = 0")
        before = work()
        for n in range(10):
            self.server.command(session, "insert", {"at": 5000, "rows": [{"data": {"title": f"New {n}"}}]})
        expect(page.locator(".count")).to_have_text("10,010 rows")
        page.wait_for_timeout(200)
        while_changing = page.evaluate("window.long")
        changing = (work() - before) / 10
        print(f"\n10,000 rows: {scrolling:.0f} ms of work a turn of the wheel, {changing:.0f} ms a change; long tasks while scrolling {[round(each) for each in while_scrolling]} ms, "
              f"while changing {[round(each) for each in while_changing]} ms")
        # A row may be drawn anew, and go, between being found and being focused.
        self.becomes(page, True, lambda: page.locator("li[data-id]").nth(30).focus() or page.evaluate(
            "document.activeElement.closest('.rows') !== null"))
        page.keyboard.press("End")
        expect(page.locator("[data-id=r9999]")).to_be_focused()
        page.wait_for_timeout(300)
        expect(page.locator("[data-id=r9999]")).to_be_focused()  # when the window was drawn anew, too
        expect(page.locator("[data-id=r9999]")).to_be_in_viewport()
        page.keyboard.press("Home")
        expect(page.locator("[data-id=r0]")).to_be_focused()
        expect(page.locator("[data-id=r0]")).to_be_in_viewport()
        # Of the page's own time on a processor: what else the machine does is not the page's doing.
        self.assertLess(scrolling, 60)
        self.assertLess(changing, 80)


if __name__ == "__main__":
    unittest.main()
