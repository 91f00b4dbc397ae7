import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { implementResource } from '#app/server/api/implement.ts'
import { decideOnSuggestion } from './decide-suggestions.server.ts'
import { listRuns, loadRuns, removeRun, requestSuggestions } from './suggestion-runs.server.ts'
import { themeSuggestionPassageShape, themeSuggestionRunShape, themeSuggestionShape } from './suggestions.api.schema.ts'
import { listSuggestedPassages, listSuggestions, loadSuggestedPassages, loadSuggestions } from './suggestions.server.ts'

export const themeSuggestionRunResource = implementResource(themeSuggestionRunShape, {
  load: loadRuns,
  list: listRuns,
  attributes: ({ source, language, state, progress, texts, textsAlike, createdAt, finishedAt }) => ({
    source,
    language,
    state,
    progress,
    texts,
    textsAlike,
    createdAt,
    finishedAt,
  }),
  relationships: { project: { id: (row) => row.projectId, alwaysVisible: 'in-scope' } },
  create: requestSuggestions,
  remove: removeRun,
})

export const themeSuggestionResource = implementResource(themeSuggestionShape, {
  load: loadSuggestions,
  list: listSuggestions,
  can: ({ viewer }, row) => ({ update: checkPermission(viewer, 'responses.see', row.place).ok }),
  attributes: ({ label, language, position, texts, passages, state }) => ({ label, language, position, texts, passages, state }),
  relationships: { run: { id: (row) => row.runId }, theme: { id: (row) => row.themeId } },
  update: decideOnSuggestion,
})

export const themeSuggestionPassageResource = implementResource(themeSuggestionPassageShape, {
  load: loadSuggestedPassages,
  list: listSuggestedPassages,
  attributes: ({ source, sourceId, question, version, start, words, isWhole }) => ({
    source,
    sourceId,
    question,
    version,
    start,
    words,
    isWhole,
  }),
  relationships: { suggestion: { id: (row) => row.suggestionId } },
})
