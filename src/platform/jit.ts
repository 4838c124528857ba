/**
 * From here on code that runs often is compiled. The executable starts without: a call of an agent is answered before that
 * could pay, but long texts and many events take long enough.
 */
export const compileOften = (): void => {
  Bun.unsafe.setJITPolicy(1);
};
