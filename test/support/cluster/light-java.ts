// What a broker of tests runs with: it lives for minutes, beside others on a machine with few processors.

/** Less compiling and a collector with one thread: it starts for 60 % of the processor time. */
export const lightJava = ['-XX:TieredStopAtLevel=1', '-XX:-UseG1GC', '-XX:+UseSerialGC'];
