"""Check what others wrote, statement by statement: which statements a text makes and which sources they lean on."""
