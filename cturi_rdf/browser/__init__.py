"""The command line in a web page: Pyodide runs this package, and Oxigraph's JavaScript reads RDF.

The worker of the page puts `oxigraph` in the place of the module ``pyoxigraph``, and calls
`session.run` with the words of a command.  `build` writes the page and everything that it loads
into a folder.  Nothing here is imported by the rest of the package but by ``cturi site``.
"""
