"""`python -m openvenus` is the `venus` command."""

from openvenus.cli import main

if __name__ == "__main__":
    main()
