/** Administrator roles from highest to lowest; their names are the client's. */
export const ROLES = ['platform_admin', 'site_admin', 'hub_admin', 'project_admin'] as const
export type Role = (typeof ROLES)[number]

export const highestRole = (roles: readonly Role[]): Role | undefined => ROLES.find((role) => roles.includes(role))
