/** Whether a path, without its language, leads to the pages of administrators and editors: a part of the product with its own script. */
export const isEditorsPath = (path: string): boolean => /^\/(admin|live-preview)(\/|$)/.test(path)
