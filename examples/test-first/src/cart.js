/** What the articles of a cart cost together. */
export const total = (articles) => articles.reduce((sum, { price }) => sum + price, 0);
