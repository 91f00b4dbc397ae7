import { createContext, type ReactNode } from 'react'

/** Provided by a layout: where to go from a page inside it that failed. */
export const ErrorPageLinks = createContext<ReactNode>(null)
