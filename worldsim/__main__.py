"""``python -m worldsim`` is the command ``worldsim``."""

from worldsim.cli.main import main

if __name__ == "__main__":
    main()
