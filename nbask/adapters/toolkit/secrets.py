"""Fields that seem to ask for a secret, which MCP servers must not do in a form."""

from __future__ import annotations

import re
from collections.abc import Iterable

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_SECRETS = {
    *("password", "passwd", "pwd", "passphrase", "passcode", "secret", "secrets", "credential", "credentials"),
    *("token", "apikey", "cvv", "cvc", "pin", "otp", "iban", "ssn", "totp"),
}
_PAIRS = {
    *("api key", "access key", "private key", "secret key", "ssh key", "encryption key", "signing key", "license key"),
    *("card number", "credit card", "debit card", "security code", "account number", "verification code"),
    *("recovery code", "backup code", "seed phrase", "recovery phrase", "bearer token"),
}
_MEASURES = {"budget", "count", "limit", "length", "policy", "usage", "type", "name", "id", "code", "size", "rotation"}
"""What a word before makes no secret any more: a token's count, a password's policy."""

_DENIALS = {"not", "don", "never", "without"}
"""Whoever says these asks for none: "do not enter your PIN"."""


def asks_a_secret(texts: Iterable[str]) -> bool:
    """Whether a field's name, title or description names a password, key, token or payment detail.

    Example:
        >>> asks_a_secret(["openaiApiKey"]), asks_a_secret(["max_tokens", "Token budget"])
        (True, False)
    """
    return any(_names_one(text) for text in texts)


def _names_one(text: str) -> bool:
    words = [word.lower() for word in _WORDS.findall(text)]
    if _DENIALS & set(words):
        return False
    for word, following in zip(words, [*words[1:], ""], strict=False):
        if f"{word} {following}" in _PAIRS or f"{word} {following.removesuffix('s')}" in _PAIRS:
            return True
        if word in _SECRETS and following not in _MEASURES:
            return True
    return False
