"""The `.indx` archive: an ordinary ZIP with a manifest, in which what is mapped is stored and aligned."""
