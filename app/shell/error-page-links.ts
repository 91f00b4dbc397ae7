import { createContext, type ReactNode } from 'react'

/** Given by a layout: ways onward from a page within it that could not be shown. */
export const ErrorPageLinks = createContext<ReactNode>(null)
