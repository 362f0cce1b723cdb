"""What adapters are made of: the approval card, requests of no fixed shape, frameworks that may be missing or newer."""
