/**
 * The examples of docs/machines.md can be read by the programs that they are for. test/slow/machines.test.ts runs their commands.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { EXIT } from '../../src/errors/index.js'
import { root } from '../e2e/product.js'
import { containerfile, kubernetesFiles, type Resource, readResources, readUnit, systemdFiles } from './machines.js'

/** The keys that the examples may use, by where they are; those of the API of Kubernetes 1.33. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  'batch/v1 Job': [
    ...['completionMode', 'completions', 'parallelism', 'backoffLimit', 'backoffLimitPerIndex', 'maxFailedIndexes'],
    ...['podReplacementPolicy', 'podFailurePolicy', 'activeDeadlineSeconds', 'ttlSecondsAfterFinished', 'template'],
  ],
  'batch/v1 CronJob': [
    ...['schedule', 'timeZone', 'concurrencyPolicy', 'startingDeadlineSeconds', 'suspend', 'jobTemplate'],
    ...['successfulJobsHistoryLimit', 'failedJobsHistoryLimit'],
  ],
  'apps/v1 StatefulSet': ['serviceName', 'replicas', 'selector', 'template', 'volumeClaimTemplates'],
  'v1 PersistentVolumeClaim': ['accessModes', 'resources', 'storageClassName', 'volumeMode'],
  'v1 Service': ['selector', 'ports', 'type', 'clusterIP'],
  pod: ['restartPolicy', 'terminationGracePeriodSeconds', 'securityContext', 'containers', 'initContainers', 'volumes'],
  container: ['name', 'image', 'securityContext', 'command', 'args', 'envFrom', 'env', 'volumeMounts', 'ports', 'resources'],
}

const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  Unit: ['Description', 'Wants', 'After'],
  Service: [
    ...['Type', 'User', 'StateDirectory', 'StateDirectoryMode', 'WorkingDirectory', 'Environment', 'LoadCredential'],
    ...['ExecStart', 'SuccessExitStatus', 'Restart', 'RestartSec', 'RestartPreventExitStatus', 'TimeoutStartSec'],
    ...['NoNewPrivileges', 'ProtectSystem', 'ProtectHome', 'PrivateTmp'],
  ],
  Timer: ['OnCalendar', 'RandomizedDelaySec', 'Persistent'],
  Install: ['WantedBy'],
}

/** Exit codes of which a second try at once is of no use. */
const IN_VAIN: readonly number[] = [
  ...[EXIT.usage, EXIT.validation, EXIT.auth, EXIT.someRowsFailed, EXIT.held, EXIT.unknownOutcome],
]

const all = () => kubernetesFiles().flatMap((file) => readResources(file))
const podOf = ({ kind, spec }: Resource) => (kind === 'CronJob' ? spec.jobTemplate.spec : spec)?.template?.spec

describe('the examples for machines', () => {
  it('are named in docs/machines.md, each of them', () => {
    const text = readFileSync(join(root, 'docs', 'machines.md'), 'utf8')
    for (const file of [...kubernetesFiles(), ...systemdFiles()]) expect(text).to.include(file)
  })

  it('for Kubernetes have keys that it knows', () => {
    const kinds = new Set<string>()
    for (const resource of all()) {
      const name = `${resource.apiVersion} ${resource.kind}`
      kinds.add(resource.kind)
      expect(resource.metadata.name, name).to.match(/^[a-z0-9-]+$/)
      if (resource.spec === undefined) {
        expect(['ConfigMap', 'Secret']).to.include(resource.kind)
        for (const value of Object.values(resource.data ?? resource.stringData)) expect(value).to.be.a('string')
        continue
      }
      expect(KEYS[name], name).to.include.members(Object.keys(resource.spec))
      if (resource.kind === 'CronJob')
        expect(KEYS['batch/v1 Job']).to.include.members(Object.keys(resource.spec.jobTemplate.spec))
      const pod = podOf(resource)
      if (pod === undefined) continue
      expect(KEYS.pod).to.include.members(Object.keys(pod))
      for (const container of pod.containers) expect(KEYS.container).to.include.members(Object.keys(container))
    }
    expect([...kinds]).to.include.members(['Job', 'CronJob', 'Secret', 'PersistentVolumeClaim'])
  })

  it('for Kubernetes name only secrets, claims and volumes that are there', () => {
    const resources = all()
    const named = (kind: string, name: string) => resources.find((one) => one.kind === kind && one.metadata.name === name)
    for (const resource of resources) {
      const pod = podOf(resource)
      if (pod === undefined) continue
      for (const volume of pod.volumes ?? []) {
        const { persistentVolumeClaim: claim, secret } = volume
        if (claim !== undefined) expect(named('PersistentVolumeClaim', claim.claimName), claim.claimName).to.exist
        if (secret !== undefined) expect(named('Secret', secret.secretName), secret.secretName).to.exist
      }
      for (const { env = [], envFrom = [], volumeMounts = [] } of pod.containers) {
        for (const { configMapRef } of envFrom) expect(named('ConfigMap', configMapRef.name), configMapRef.name).to.exist
        for (const { valueFrom } of env) {
          if (valueFrom === undefined) continue
          const { name, key } = valueFrom.secretKeyRef
          expect(named('Secret', name)?.stringData, `${name}/${key}`).to.have.property(key)
        }
        const templates = (resource.spec.volumeClaimTemplates ?? []).map(({ metadata }: Resource) => metadata.name)
        const volumes = [...templates, ...(pod.volumes ?? []).map(({ name }: { name: string }) => name)]
        const mounted = volumeMounts.map(({ name }: { name: string }) => name)
        if (pod.volumes !== undefined) expect(volumes).to.have.members(mounted)
      }
    }
  })

  it('for Kubernetes give each shop one ledger, whatever works on it, and put no secret among arguments', () => {
    const places = ['seller-prices', 'seller-due-shop-0'].map((name) => {
      const pod = podOf(all().find(({ metadata }) => metadata.name === name) as Resource)
      const [{ volumeMounts, args, command }] = pod.containers
      expect(JSON.stringify([args, command])).to.not.match(/password|requirepass|TOKEN|KEY/i)
      const { subPath, subPathExpr } = volumeMounts.find(({ mountPath }: { mountPath: string }) => mountPath === '/shop')
      const { claimName } = pod.volumes.find(({ name }: { name: string }) => name === 'shops').persistentVolumeClaim
      return [claimName, subPath ?? subPathExpr.replace('$(JOB_COMPLETION_INDEX)', '0')]
    })
    expect(places[0]).to.deep.equal(places[1])
    const quota = podOf(all().find(({ kind }) => kind === 'StatefulSet') as Resource)
    expect(JSON.stringify(quota.containers)).to.not.match(/requirepass|PASSWORD/)
  })

  it('for Kubernetes run as nobody in particular, and write to the volume of the shop alone', () => {
    const lines = containerfile()
    expect(lines.map(({ instruction }) => instruction)).to.deep.equal([
      'ARG',
      'FROM',
      'COPY',
      'RUN',
      'FROM',
      'RUN',
      'COPY',
      'ENV',
      'USER',
      'ENTRYPOINT',
    ])
    const last = (wanted: string) => lines.findLast(({ instruction }) => instruction === wanted)?.text ?? ''
    expect(last('USER')).to.equal('1000:1000')
    const environment = Object.fromEntries(
      last('ENV')
        .split(' ')
        .map((pair) => pair.split('=')),
    )
    for (const { kind, metadata, ...resource } of all().filter(({ kind }) => kind === 'Job' || kind === 'CronJob')) {
      const pod = podOf({ kind, metadata, ...resource } as Resource)
      expect(pod.securityContext, metadata.name).to.include({ runAsNonRoot: true, runAsUser: 1000 })
      const [{ securityContext, volumeMounts, env }] = pod.containers
      expect(securityContext).to.deep.include({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false })
      const written = volumeMounts.filter(({ readOnly }: { readOnly?: boolean }) => readOnly !== true)
      const folders = { ...environment, ...Object.fromEntries(env.map(({ name, value }: Resource) => [name, value])) }
      for (const name of ['SELLER_DATA_DIR', 'SELLER_CONFIG_DIR', 'XDG_CACHE_HOME'])
        expect(
          written.some(({ mountPath }: { mountPath: string }) => folders[name].startsWith(`${mountPath}/`)),
          name,
        ).to.equal(true)
    }
  })

  it('say to both engines which exit codes are not tried again', () => {
    const job = all().find(({ kind }) => kind === 'Job')
    const [rule] = job?.spec.podFailurePolicy.rules.filter(({ action }: { action: string }) => action === 'FailIndex') ?? []
    expect(rule.onExitCodes.values).to.deep.equal(IN_VAIN)
    const service = readUnit('seller-prices@.service')
    const codes = (key: string) => (service.find((entry) => entry.key === key)?.value ?? '').split(' ').map(Number)
    expect(codes('SuccessExitStatus')).to.deep.equal([EXIT.held, EXIT.pending])
    expect(codes('RestartPreventExitStatus')).to.deep.equal(IN_VAIN.filter((code) => code !== EXIT.held))
  })

  it('for systemd have keys that it knows', () => {
    for (const file of systemdFiles())
      for (const { section, key } of readUnit(file)) expect(SECTIONS[section], `${file}: [${section}]`).to.include(key)
  })

  it('for systemd are taken by systemd itself', function () {
    if (!existsSync('/usr/bin/systemd-analyze')) {
      console.warn('\n!!! NO SYSTEMD: the units of examples/systemd are NOT read by systemd-analyze.\n')
      this.skip()
    }
    const dir = mkdtempSync(join(tmpdir(), 'seller-units-'))
    try {
      for (const file of systemdFiles()) copyFileSync(join(root, 'examples', 'systemd', file), join(dir, file))
      const service = join(dir, 'seller-prices@.service')
      // It checks that the program is there.
      writeFileSync(service, readFileSync(service, 'utf8').replaceAll('/usr/bin/seller', '/bin/sh'))
      const { status, stdout, stderr } = spawnSync('systemd-analyze', [
        'verify',
        ...systemdFiles().map((file) => join(dir, file)),
      ])
      expect(status, `${stdout}${stderr}`).to.equal(0)
      expect(String(stderr)).to.equal('')
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
  })
})
