import { readFileSync } from 'node:fs'
import * as apps from 'kubernetes-models/apps/v1'
import * as networking from 'kubernetes-models/networking.k8s.io/v1'
import * as policy from 'kubernetes-models/policy/v1'
import * as core from 'kubernetes-models/v1'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import manifest from '../../package.json' with { type: 'json' }

interface KubernetesObject {
  kind: string
  metadata: { name: string }
  data?: Record<string, string>
  stringData?: Record<string, string>
  spec?: { template?: { spec: { terminationGracePeriodSeconds: number; containers: { command: string[]; readinessProbe: unknown }[] } } }
}

const readExample = (name: string): string => readFileSync(new URL(`examples/${name}`, import.meta.url), 'utf8')
const objects = parseAllDocuments(readExample('kubernetes.yaml')).map((document) => document.toJS() as KubernetesObject)
const kinds = { ...core, ...apps, ...policy, ...networking } as unknown as Record<string, new (data: unknown) => { validate: () => void }>

test('Kubernetes takes each of the manifests', () => {
  for (const object of objects) {
    const Kind = kinds[object.kind]
    expect(Kind, object.kind).toBeDefined()
    expect(() => Kind && new Kind(object).validate(), object.kind).not.toThrow()
  }
  expect(objects.map(({ kind }) => kind)).toContain('Ingress')
})

test('the manifests start processes that serve and one that runs the jobs, as npm start does', () => {
  const commands = objects.flatMap(({ spec }) => spec?.template?.spec.containers.map(({ command }) => command.join(' ')) ?? [])
  expect(commands).toEqual([`${manifest.scripts.start} --only web`, `${manifest.scripts.start} --only jobs`])
})

test('a process has time to stop, and the settings exist', () => {
  const settings = Object.assign({}, ...objects.map(({ data, stringData }) => ({ ...data, ...stringData }))) as Record<string, string>
  const documented = readFileSync(new URL('README.md', import.meta.url), 'utf8')
  for (const name of Object.keys(settings)) expect(documented, name).toContain(`\`${name}\``)
  for (const { spec } of objects)
    if (spec?.template) expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(Number(settings['DRAIN_SECONDS']) + 30)
})
