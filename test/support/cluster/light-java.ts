// Java options for test brokers, which live for minutes, with others, on a machine with few processors.

/** With less compilation and a single-threaded collector, a start takes 60 % of the processor time. */
export const lightJava = ['-XX:TieredStopAtLevel=1', '-XX:-UseG1GC', '-XX:+UseSerialGC'];
