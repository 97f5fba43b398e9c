"""A browser without a window, and the sample pages that are opened in it."""

import atexit
import copy
import pathlib
import shutil
import tempfile
import unittest

import sample_data

CHECKS = pathlib.Path(__file__).with_name("page_checks.js").read_text()
FORMS = {
    "light": {"width": 1280, "height": 900, "scheme": "light", "mobile": False},
    "dark": {"width": 1280, "height": 900, "scheme": "dark", "mobile": False},
    "phone": {"width": 360, "height": 740, "scheme": "light", "mobile": True},
}
SHOT_SCALE = {1280: 0.25, 360: 0.5}  # of stored screenshots, by the width of the window
# What is compared in screenshots: graphics, each for itself, as another font moves everything below a text.
PARTS = ".command, .tiles, .facts, .stack, .table, .plot"
FLAGS = ("headless=new", "no-sandbox", "disable-gpu", "hide-scrollbars", "force-device-scale-factor=1", "lang=en-US")


class Browser:
    def __init__(self, driver_path):
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service

        options = webdriver.ChromeOptions()
        for flag in FLAGS:
            options.add_argument(f"--{flag}")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service(driver_path), options=options)
        self.driver.set_script_timeout(20)
        self.js = self.driver.execute_script
        self.cdp = self.driver.execute_cdp_cmd

    def check(self, function, *arguments):
        """Calls a function of page_checks.js."""
        return self.js(f"{CHECKS}; return {function}(...arguments);", *arguments)

    def check_later(self, function, *arguments):
        """The same for a function that returns a promise."""
        script = f"{CHECKS}; const done = arguments[arguments.length - 1]; {function}(...arguments).then(done);"
        return self.driver.execute_async_script(script, *arguments)

    def open(self, path, form):
        self.take_form(form)
        for kind in ("browser", "performance"):
            self.driver.get_log(kind)  # what was before does not count
        self.driver.get(f"file://{path}")
        self.settle("document.documentElement.dataset.ready")

    def take_form(self, form, media=""):
        form = FORMS[form]
        size = {"width": form["width"], "height": form["height"], "deviceScaleFactor": 1, "mobile": form["mobile"]}
        self.cdp("Emulation.setDeviceMetricsOverride", size)
        self.cdp("Emulation.setTouchEmulationEnabled", {"enabled": form["mobile"]})
        scheme = {"name": "prefers-color-scheme", "value": form["scheme"]}
        still = {"name": "prefers-reduced-motion", "value": "reduce"}
        self.cdp("Emulation.setEmulatedMedia", {"media": media, "features": [scheme, still]})

    def settle(self, condition="true"):
        """Waits for a condition and for the next drawing."""
        self.driver.execute_async_script(f"""const done = arguments[0];
            const frame = () => requestAnimationFrame(() => requestAnimationFrame(() => done()));
            const look = () => (({condition}) ? frame() : setTimeout(look, 10));
            look();""")

    def mouse(self, kind, x, y, **more):
        self.cdp("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, **more})

    def drag(self, start, end):
        self.mouse("mouseMoved", *start)
        self.mouse("mousePressed", *start, button="left", buttons=1, clickCount=1)
        for step in range(1, 5):
            x, y = (a + (b - a) * step / 4 for a, b in zip(start, end))
            self.mouse("mouseMoved", x, y, button="left", buttons=1)
        self.mouse("mouseReleased", *end, button="left", clickCount=1)
        self.settle()

    def touch(self, kind, *points):
        touches = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
        self.cdp("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def keys(self, *keys):
        from selenium.webdriver import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()
        self.settle()

    def shot(self):
        """A small screenshot of the page: PNG in base64, and where the parts are in it, as shares of its size."""
        width, height = self.js("const e = document.documentElement; return [e.clientWidth, e.scrollHeight]")
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": SHOT_SCALE[width]}
        png = self.cdp("Page.captureScreenshot", {"clip": clip, "captureBeyondViewport": True})["data"]
        return {"png": png, "parts": self.check("partsOf", PARTS, width, height)}


class Session:
    """What all tests share, as starting a browser takes a second."""

    browser = None
    data = {}
    pages = {}

    @classmethod
    def start(cls):
        if cls.browser:
            return
        folder = tempfile.TemporaryDirectory()
        atexit.register(folder.cleanup)  # not the end of a module: there are several
        cls.data = {name: make() for name, make in sample_data.SAMPLES.items()}
        for name, data in cls.data.items():
            cls.pages[name] = pathlib.Path(folder.name) / f"{name}.html"
            cls.pages[name].write_text(sample_data.assemble(data))
        cls.browser = Browser(shutil.which("chromedriver"))
        atexit.register(cls.browser.driver.quit)


class Case(unittest.TestCase):
    @property
    def browser(self):
        return Session.browser

    def open(self, name, form="light"):
        Session.browser.open(Session.pages[name], form)

    def open_changed(self, name, change, form="light"):
        """The sample after change(data)."""
        data = copy.deepcopy(Session.data[name])
        change(data)
        page = Session.pages[name].with_name("changed.html")
        page.write_text(sample_data.assemble(data))
        Session.browser.open(page, form)

    def complain(self, complaints):
        if complaints:
            self.fail("\n  ".join(["", *complaints[:12]]))
