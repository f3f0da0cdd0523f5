"""Tools for all other packages: lazy loading, frozen values, side tables, parallel work."""
