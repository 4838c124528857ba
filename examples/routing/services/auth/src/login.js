export const mayLogIn = (name) => name !== "";
