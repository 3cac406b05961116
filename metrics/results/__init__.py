"""What an analysis says: frozen results, their JSON, and the tables made of them."""
