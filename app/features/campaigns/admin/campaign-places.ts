import { hubSource, projectSource, type RecordSource } from '#app/shell/admin/record-sources.ts'
import type { Choice } from '#app/ui/admin/search-choice.tsx'

const HUBS = hubSource({ mine: true })
const PROJECTS = projectSource()

interface PlaceNames {
  hub: (name: string) => string
  project: (name: string) => string
}

const prefixWith = (type: 'hubs' | 'projects', name: (title: string) => string) => (choice: Choice) => ({
  id: `${type} ${choice.id}`,
  name: name(choice.name),
})

/** Departments and projects that a campaign can be for. Ids begin with the type: `hubs …`, `projects …`. */
export const campaignPlaceSource = (names: PlaceNames, hasHubs: boolean): RecordSource => ({
  key: ['campaign-places', hasHubs],
  find: async (words, signal) => {
    const none = { choices: [], total: 0 }
    const [hubs, projects] = await Promise.all([hasHubs ? HUBS.find(words, signal) : none, PROJECTS.find(words, signal)])
    return {
      choices: [...hubs.choices.map(prefixWith('hubs', names.hub)), ...projects.choices.map(prefixWith('projects', names.project))],
      total: hubs.total + projects.total,
    }
  },
  load: async (id, signal) => {
    const [type, recordId = ''] = id.split(' ')
    const found = await (type === 'hubs' ? HUBS : PROJECTS).load(recordId, signal)
    return found && (type === 'hubs' ? prefixWith('hubs', names.hub) : prefixWith('projects', names.project))(found)
  },
})
