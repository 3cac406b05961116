"""What `./assay` does before Django can: an environment, the front end's build, a browser. Standard library only."""
