/** Any agent may send this, so nobody can be recognised by it: who means it says so (`--host generic`). */
export const recognises = (): 0 => 0;
