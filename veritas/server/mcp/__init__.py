"""The use cases as tools, resources and prompts of the Model Context Protocol (MCP), over stdio and streamable HTTP.

No tool approves: a person decides, never a model.
"""
