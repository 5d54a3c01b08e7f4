/** One view per kind of result. */
export {}
