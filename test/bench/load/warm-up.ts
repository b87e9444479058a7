// The warm-up before a measurement of the steady state, for the product and the bare parts alike.

/**
 * Until V8 has compiled what is used often: an event takes two to three times the processor time in the first five
 * seconds after a start, and less and less for some twenty more.
 */
export const warmUpSeconds = 30;
