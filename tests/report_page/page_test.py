"""Opens reports in a browser, as a reader on a desktop, in the dark and on a phone, and checks what the reader gets.

    page_test.py             compares with the screenshots in expected/
    page_test.py --update    writes them anew: look at them before you keep them

Without Chromium, its driver or Selenium it prints SKIPPED and ends with 0."""

import json
import pathlib
import shutil
import sys
import unittest

import page_checks as checks
from page_session import FORMS, Case, Session
from page_timeline import Speed, Timeline  # noqa: F401

EXPECTED = pathlib.Path(__file__).resolve().parent / "expected"
UPDATE = "--update" in sys.argv
RIGHT = "\ue014"  # the key
MOST_DIFFERENCE = 14.0  # of 255, in the mean of one graphic; other fonts make up to 12, bars without colour 18


def setUpModule():
    Session.start()


class EveryPage(Case):
    """Each sample in each form."""

    @classmethod
    def setUpClass(cls):
        stored = EXPECTED / "parts.json"
        cls.parts = json.loads(stored.read_text()) if stored.exists() else {}

    @classmethod
    def tearDownClass(cls):
        lines = [
            f"{json.dumps(key)}: {json.dumps(parts, separators=(',', ':'))}" for key, parts in sorted(cls.parts.items())
        ]
        if UPDATE:
            (EXPECTED / "parts.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")

    def look_at(self, name, form):
        self.open(name, form)
        self.complain(checks.console_messages(self.browser))
        self.complain(checks.network_requests(self.browser, Session.pages[name]))
        self.complain(checks.blank_canvases(self.browser))
        self.complain(checks.structure(self.browser))
        self.compare(name, form)
        self.browser.js("document.querySelectorAll('details').forEach((e) => { e.open = true; })")
        self.browser.settle()
        self.complain(checks.overflow(self.browser))
        self.complain(checks.low_contrast(self.browser))
        self.complain(checks.console_messages(self.browser))

    def compare(self, name, form):
        shot, stored, key = self.browser.shot(), EXPECTED / f"{name}-{form}.png", f"{name}-{form}"
        if UPDATE:
            stored.write_bytes(checks.grey_png(self.browser, shot["png"]))
            self.parts[key] = shot["parts"]
        expected = {"png": checks.encoded(stored.read_bytes()), "parts": self.parts[key]}
        self.assertEqual(len(shot["parts"]), len(expected["parts"]), f"not as many graphics as in {stored.name}")
        different = [
            f"{part:.1f} in graphic {i}"
            for i, part in enumerate(checks.difference(self.browser, shot, expected))
            if part > MOST_DIFFERENCE
        ]
        self.complain([f"does not look like {stored.name}: {one}" for one in different])

    def test_all(self):
        for form in FORMS:
            for name in Session.pages:
                with self.subTest(sample=name, form=form):
                    self.look_at(name, form)


class Contents(Case):
    def text(self, selector):
        return self.browser.js("return document.querySelector(arguments[0]).innerText", selector)

    def test_a_run_has_all_sections(self):
        self.open("disk")
        ids = self.browser.js("return [...document.querySelectorAll('main > section')].map((e) => e.id)")
        self.assertEqual(ids, ["summary", "answer", "plan", "prediction", "plans", "supersteps", "timeline", "machine"])
        self.assertIn("NOT converged", self.text(".warning"))
        self.assertIn("1.1 GiB (37%)", self.text("#plan"))
        self.assertIn("no CUDA device found", self.text("#plans"))
        self.assertIn("1.08 ×", self.text("#prediction"))
        self.assertEqual(self.text("#answer tbody tr"), "4037\t0.00460000\t")

    def test_figures_of_different_kinds_have_their_own_scales(self):
        self.open("mixed")
        groups = self.browser.js(
            """return [...document.querySelectorAll("#prediction tbody")].map((body) => [
                body.querySelector(".group").innerText, body.querySelectorAll(".bar").length,
                Math.max(0, ...[...body.querySelectorAll(".bar")].map((bar) => parseFloat(bar.style.width)))]);"""
        )
        self.assertEqual([name for name, _, _ in groups], ["Time", "Data", "Number"])
        self.assertEqual([longest for _, _, longest in groups], [100, 100, 0])

    def test_predictions_that_say_too_little_are_not_compared(self):
        def change(data, shown):
            data["predicted"].update(shown=shown, compared=False, text="less than 1.00 ms")
            for plan in data["plans"]:
                if plan["fits"]:
                    plan.update(seconds=None, bound="", text="less than 1.00 ms")

        self.open_changed("disk", lambda data: change(data, False))
        self.assertEqual(self.text("#prediction h2"), "Measured")
        self.assertIn("Predicted was less than 1.00 ms.", self.text("#prediction"))
        self.assertIn("of the algorithm alone", self.text("#summary"))
        self.assertEqual(self.text("#plans").count("less than 1.00 ms"), 2)
        self.assertNotIn("no prediction", self.text("#plans"))
        for section in ("#prediction", "#plans"):
            self.assertNotIn("×", self.text(section))
            self.assertEqual(
                self.browser.js(f"return document.querySelectorAll('{section} .bar.predicted, #plans .bar').length"), 0
            )
        self.open_changed("disk", lambda data: change(data, True))  # the run was too short to be compared
        self.assertEqual(self.text("#prediction h2"), "Predicted and measured")
        self.assertNotIn("×", self.text("#prediction"))
        self.assertNotIn("predicted.", self.text("#prediction p"))

    def test_figures_of_the_highest_columns_are_not_cut(self):
        bars = [[str(i), f"{n:,}", n] for i, n in enumerate([1, 23, 812, 7_974])]

        def change(data):
            charts = data["answer"]["charts"]
            charts += [{**charts[0], "bars": bars, "log": log} for log in (True, False)]

        for form in FORMS:
            self.open_changed("disk", change, form)
            self.complain(checks.cut_texts(self.browser))
        self.browser.js("const before = frameOf; frameOf = (width, height) => ({ ...before(width, height), top: 4 })")
        self.assertIn("7,974", "".join(checks.cut_texts(self.browser)), "a planted fault")

    def test_columns_of_measurements_are_explained(self):
        self.open("bench")
        self.assertIn("of limit", self.text("#bench thead"))
        notes = self.browser.js("return [...document.querySelectorAll('#bench .note')].map((e) => e.innerText)")
        self.assertIn("Of limit: the limit / the time it took.", notes)
        self.assertEqual([note.split(":")[0] for note in notes], ["Limit", "Of limit", "Set by"])

    def test_nothing_is_cut_on_a_phone(self):
        for name in ("bench", "disk", "mixed"):
            with self.subTest(sample=name):
                self.open(name, "phone")
                cut = """return [...document.querySelectorAll(".blocks")]
                    .filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.outerHTML.slice(0, 200));"""
                self.assertEqual(self.browser.js(cut), [])
        self.open("bench", "phone")
        self.assertEqual(self.browser.js("return document.querySelectorAll('#bench .table:not(.blocks)').length"), 0)

    def test_says_nothing_of_searches_where_there_are_none(self):
        for name in Session.pages:
            self.open(name)
            self.assertNotIn("first active neighbour", self.text("main"))

    def test_what_is_missing_is_left_out(self):
        self.open("least")
        ids = self.browser.js("return [...document.querySelectorAll('main > section')].map((e) => e.id)")
        self.assertEqual(ids, ["summary", "answer"])
        self.assertEqual(self.text("h1"), Session.data["least"]["title"])
        self.assertEqual(self.text(".command"), Session.data["least"]["command"])

    def test_long_tables_are_cut(self):
        self.open("stress")
        rows = self.browser.js(
            """const details = document.querySelector("#supersteps > details"); details.open = true; details.fill();
            return [details.querySelectorAll("tbody tr").length, details.innerText];"""
        )
        self.assertEqual(rows[0], 200)
        self.assertIn("The first 200 of 2,000 rows are shown.", rows[1])

    def test_slider_shows_values_of_a_superstep(self):
        self.open("mixed")
        self.browser.js("document.getElementById('chosen').focus()")
        self.assertEqual(self.text(".pick output"), "Superstep 4: 21.3 ms, pull")  # the longest
        self.browser.keys(RIGHT)
        self.assertEqual(self.text(".pick output"), "Superstep 5: 14.9 ms, pull")
        self.assertIn("21,033,188", self.text("#supersteps .pair"))
        plot = """const plot = document.querySelectorAll("#supersteps .plot")[4];
            plot.scrollIntoView({ block: "center" });
            const rect = plot.getBoundingClientRect();
            return [rect.left, rect.top, rect.width];"""
        left, top, width = self.browser.js(plot)
        self.browser.mouse("mouseMoved", left + 72 + (width - 82) * 2.5 / 7, top + 50)  # the third superstep
        self.browser.settle()
        self.assertEqual(self.text(".pick output"), "Superstep 3: 5.20 ms, push")
        self.browser.mouse("mouseMoved", left + 72 + (width - 82) * 4.5 / 7, top + 50)
        self.browser.settle()
        self.browser.js("document.getElementById('to-timeline').click()")
        self.browser.settle()
        begin = sum(Session.data["mixed"]["supersteps"]["seconds"][:4]) * 1e6
        view = self.browser.js("const d = document.getElementById('lanes').dataset; return [+d.from, +d.to]")
        self.assertAlmostEqual(view[0], begin - 0.05 * 14_900, delta=1)
        self.assertAlmostEqual(view[1], begin + 1.05 * 14_900, delta=1)

    def test_theme_button(self):
        self.open("bench")
        ink = "return getComputedStyle(document.body).color"
        before = self.browser.js(ink)
        self.browser.js("document.getElementById('theme').click()")
        self.assertNotEqual(self.browser.js(ink), before)
        self.assertEqual(self.text("#theme"), "Light colours")

    def test_print_is_light_open_and_without_controls(self):
        self.open("disk", "dark")
        self.browser.take_form("dark", media="print")
        self.browser.js("dispatchEvent(new Event('beforeprint'))")
        shown = self.browser.js("""const all = [...document.querySelectorAll("button, input, nav, .help")];
            return all.filter((e) => e.getClientRects().length).length;""")
        closed = self.browser.js("return document.querySelectorAll('details:not([open])').length")
        theme = "return document.documentElement.dataset.theme"
        self.assertEqual((shown, closed, self.browser.js(theme)), (0, 0, "light"))
        self.browser.js("dispatchEvent(new Event('afterprint'))")
        self.assertEqual(self.browser.js(theme), "dark")


class Keyboard(Case):
    def test_tab_reaches_every_control(self):
        for name, form in (("disk", "light"), ("disk", "phone"), ("bench", "dark")):
            with self.subTest(sample=name, form=form):
                self.open(name, form)
                self.complain(checks.unfocused(self.browser))


class PlantedFaults(Case):
    """The checks find planted faults."""

    def setUp(self):
        self.open("bench")

    def test_checks_find_them(self):
        for fault, check in (
            ("console.warn('x')", checks.console_messages),
            (
                "fetch('file:///tmp/x').catch(() => 0)",
                lambda b: checks.console_messages(b) + checks.network_requests(b, Session.pages["bench"]),
            ),
            ("document.querySelector('h1').style.width = '1400px'", checks.overflow),
            ("document.body.append(document.createElement('canvas'))", checks.blank_canvases),
            ("document.querySelector('footer').prepend(document.createElement('h4'))", checks.structure),
            ("document.querySelector('h1').style.color = '#808080'", checks.low_contrast),
            ("document.getElementById('theme').style.outline = 'none'", checks.unfocused),
            ("document.getElementById('theme').tabIndex = -1", checks.unfocused),
        ):
            with self.subTest(fault=fault):
                self.open("bench")
                self.assertEqual(check(self.browser), [])
                self.browser.js(fault)
                self.browser.settle()
                self.assertNotEqual(check(self.browser), [])

    def test_screenshots_differ(self):
        before = self.browser.shot()
        self.assertLess(max(checks.difference(self.browser, before, self.browser.shot())), 0.5)
        self.browser.js("document.querySelectorAll('.bar').forEach((e) => { e.style.background = 'none'; })")
        self.assertGreater(max(checks.difference(self.browser, before, self.browser.shot())), MOST_DIFFERENCE)
        self.open("mixed", "phone")
        before = self.browser.shot()
        self.browser.js("document.querySelectorAll('canvas')[1].style.visibility = 'hidden'")
        self.assertGreater(max(checks.difference(self.browser, before, self.browser.shot())), MOST_DIFFERENCE)


if __name__ == "__main__":
    try:
        import selenium  # noqa: F401
    except ImportError:
        sys.exit(print("SKIPPED: no selenium"))
    if not shutil.which("chromedriver") or not (shutil.which("chromium") or shutil.which("google-chrome")):
        sys.exit(print("SKIPPED: no chromium or chromedriver"))
    unittest.main(argv=[argument for argument in sys.argv if argument != "--update"])
