// Replaces a package that is imported only for side effects, which are not wanted here.
export {};
