import { createContext, useContext } from 'react'
import type { Question } from '../../../surveys.schema.ts'

/** Earlier questions whose answers may decide about what is in hand. */
const LogicSourcesContext = createContext<readonly Question[]>([])

export const LogicSources = LogicSourcesContext.Provider
export const useLogicSources = (): readonly Question[] => useContext(LogicSourcesContext)
