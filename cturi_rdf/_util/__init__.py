"""Tools for all other packages: lazy loading, databases on disk, limits, parallel work."""
