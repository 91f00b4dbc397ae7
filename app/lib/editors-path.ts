/**
 * True if a path without its language leads to the administration, the editor or embeds: they have their own script, which participants'
 * pages do not load.
 */
export const isEditorsPath = (path: string): boolean => /^\/(admin|live-preview|embed)(\/|$)/.test(path)

/**
 * True if the browser needs the whole route tree for a path: editors' pages, people's own account pages, and pages that links in emails and
 * other sites lead to.
 */
export const needsWholeTree = (path: string): boolean =>
  isEditorsPath(path) ||
  /^\/(account|appeals|confirm-email|first-admin|follow|reset-password|unfollow)(\/|$)/.test(path) ||
  /^\/sign-in_?\/./.test(path)
