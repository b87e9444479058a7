// Stands in for a package that is imported for effects which are not wanted here.
export {};
