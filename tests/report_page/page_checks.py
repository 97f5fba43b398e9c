"""What is checked on a page. Each check returns a list of complaints; those on elements are in page_checks.js."""

import base64
import json
import struct
import zlib


def console_messages(browser):
    return [f"{entry['level']}: {entry['message']}" for entry in browser.driver.get_log("browser")]


def network_requests(browser, path):
    """Requests of anything but the page itself."""
    found = []
    for entry in browser.driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            found.append(message["params"]["request"]["url"])
    return [f"requests {url[:100]}" for url in found if url != f"file://{path}" and not url.startswith("data:")]


def overflow(browser):
    return browser.check("overflow")


def blank_canvases(browser):
    return browser.check("blankCanvases")


def cut_texts(browser):
    return browser.check("cutTexts")


def structure(browser):
    return browser.check("structure")


def low_contrast(browser):
    return browser.check("lowContrast", 4.5)


def unfocused(browser):
    """Presses Tab until the focus comes round: controls that it does not reach, or that do not show it."""
    from selenium.webdriver import ActionChains
    from selenium.webdriver.common.keys import Keys

    count = browser.check("watchFocus")
    ActionChains(browser.driver, duration=0).send_keys(*[Keys.TAB] * (count + 1)).perform()
    return browser.check("unfocused")


def difference(browser, one, other):
    """The mean absolute difference of each part of two screenshots, as 16 x 8 grey values."""
    return browser.check_later("differences", one, other)


def grey_png(browser, png):
    """The same picture as a small PNG of 8-bit grey."""
    width, height, values = browser.check_later("greyPicture", png)
    rows = b"".join(b"\0" + bytes(values[y * width : (y + 1) * width]) for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def encoded(png):
    return base64.b64encode(png).decode()
