"""Findings, meanings and values of formats while a file is typed, for editors (`cturi lsp`)."""
