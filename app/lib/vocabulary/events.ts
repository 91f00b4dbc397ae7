export const EVENT_STATUSES = ['draft', 'published', 'cancelled'] as const
export type EventStatus = (typeof EVENT_STATUSES)[number]

/** Who may sign up: everybody, people with a confirmed account, or members of the project. */
export const EVENT_ACCESS = ['anyone', 'confirmed', 'members'] as const
export type EventAccess = (typeof EVENT_ACCESS)[number]

/** `going`: has a place. `waiting`: moves up when a place becomes free. */
export const SIGN_UP_STATES = ['going', 'waiting', 'cancelled'] as const
export type SignUpState = (typeof SIGN_UP_STATES)[number]

/** Where an event stands, by its status and its times. */
export const EVENT_PHASES = ['draft', 'upcoming', 'under-way', 'over', 'cancelled'] as const
export type EventPhase = (typeof EVENT_PHASES)[number]
