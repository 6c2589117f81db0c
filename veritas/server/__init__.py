"""Servers: the use cases over HTTP and over the Model Context Protocol. No rule of the field is here."""
