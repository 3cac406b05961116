"""What `./assay` does before Django can run: the Python environment, the front end's build, a browser for the tests.

It is there so that one command works on a fresh machine, with nothing but Python and without a container, and does the
same for users, tests and CI. Nothing is installed yet when it starts: it uses the standard library alone.
"""
