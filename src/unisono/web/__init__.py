"""The web page and the HTTP service: the same calls as the library's, for people with a browser.

Nothing of it is loaded by ``import unisono``; it needs the extra ``web``.
"""
