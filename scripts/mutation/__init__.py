"""What `scripts/mutate` is made of: the changes, the ground they are tried on, and the page that explains survivors."""
