import { createContext, useContext } from 'react'
import type { Question } from '../../../surveys.schema.ts'

/** Earlier questions that rules of the selected part can refer to. */
const LogicSourcesContext = createContext<readonly Question[]>([])

export const LogicSources = LogicSourcesContext.Provider
export const useLogicSources = (): readonly Question[] => useContext(LogicSourcesContext)
