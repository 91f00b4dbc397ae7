/**
 * Whether a path, without its language, leads to the pages of administrators and editors, or to what other sites frame: parts of the product
 * with a script of their own, which participants' pages do not load.
 */
export const isEditorsPath = (path: string): boolean => /^\/(admin|live-preview|embed)(\/|$)/.test(path)

/** Whether the browser needs the whole route tree for a path: the editors' pages, and those of somebody's own account. */
export const needsWholeTree = (path: string): boolean => isEditorsPath(path) || /^\/account(\/|$)/.test(path)
