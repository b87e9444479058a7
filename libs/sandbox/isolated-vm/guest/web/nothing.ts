// Stands in for a package that is imported only for effects that are not wanted here.
export {};
