// The cluster: etcd, three members of Patroni with synchronous replication, and HAProxy in front of the elected one.
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { eligibleAccounts } from '../../src/database/embedded/account.ts'
import { until } from '../../test/support/program.ts'
import type { Ending } from '../ending.ts'
import { Member } from './member.ts'
import { freePorts, type Host, startProgram } from './process.ts'
import type { Programs } from './programs.ts'

/** The configuration that operators are given; only addresses differ here. */
const template = fileURLToPath(new URL('../../../deploy/patroni/haproxy.cfg', import.meta.url))
const names = ['one', 'two', 'three']
export interface Cluster {
  readonly members: readonly Member[]
  /** DATABASE_URL: through the proxy. */
  readonly url: string
  /** The elected member; waits until there is one. */
  leader(): Promise<Member>
  /** The standby that commits wait for, and that alone may take over; waits until there is one. */
  synchronous(): Promise<Member>
  /** Resolves when one member leads, both others stream from it, and one of them may take over. */
  settled(): Promise<void>
  /** Hands the lead over in an orderly way. */
  switchOver(from: Member, to: Member): Promise<void>
}

/** Starts it in a folder of its own, with an empty database. */
export async function startCluster(ending: Ending, programs: Programs, parent: string): Promise<Cluster> {
  const [account] = eligibleAccounts()
  if (account === undefined) throw new Error('No user can run PostgreSQL.')
  const folder = join(parent, 'cluster')
  await mkdir(folder)
  await chown(folder, account.uid, account.gid)
  const host: Host = { account, folder, ending }
  const [etcdPort = 0, peerPort = 0, proxyPort = 0, ...ports] = await freePorts(3 + 2 * names.length)
  await startEtcd(host, programs, { etcdPort, peerPort })
  const members: Member[] = []
  for (const [n, name] of names.entries()) {
    const place = { name, port: ports[2 * n] as number, restPort: ports[2 * n + 1] as number, etcdPort }
    members.push(await Member.create(host, programs, place))
  }
  const cluster = clusterOf(members, `postgres://cashwrap@127.0.0.1:${proxyPort}/cashwrap`)
  // One creates the database, and the others copy it.
  await members[0]?.start()
  await cluster.leader()
  for (const member of members.slice(1)) await member.start()
  await cluster.settled()
  const { port } = await cluster.leader()
  await ask(port, 'create role cashwrap login')
  await ask(port, 'create database cashwrap owner cashwrap')
  await startProxy(host, programs, members, proxyPort)
  return cluster
}

function clusterOf(members: readonly Member[], url: string): Cluster {
  async function leader(): Promise<Member> {
    let member: Member | undefined
    await until('a member leads', async () => {
      const are = await Promise.all(members.map((each) => each.is('primary')))
      member = members[are.indexOf(true)]
      return member !== undefined
    })
    return member as Member
  }
  async function synchronous(): Promise<Member> {
    let member: Member | undefined
    await until('a standby is synchronous', async () => {
      const [name] = await (await leader()).synchronous()
      member = members.find((each) => each.name === name)
      return member !== undefined
    })
    return member as Member
  }
  async function isComplete(): Promise<boolean> {
    const [leads = [], follow = []] = await Promise.all(
      (['primary', 'replica'] as const).map(async (role) => {
        const are = await Promise.all(members.map((member) => member.is(role)))
        return members.filter((_, n) => are[n])
      }),
    )
    const [first] = leads
    if (!first || leads.length !== 1 || follow.length !== members.length - 1) return false
    const streaming = `select count(*)::int from pg_stat_replication where state = 'streaming'`
    if ((await ask(first.port, streaming).catch(() => 0)) < members.length - 1) return false
    // Last: Patroni takes it away from a standby that does not stream.
    return (await first.synchronous()).length === 1
  }
  return {
    members,
    url,
    leader,
    synchronous,
    async settled() {
      await until('the cluster is complete', isComplete).catch(async (error) => {
        throw new Error(`${error.message}\n${(await Promise.all(members.map((member) => member.logEnd()))).join('\n')}`)
      })
    },
    async switchOver(from, to) {
      const body = JSON.stringify({ leader: from.name, candidate: to.name })
      const answer = await fetch(`${from.rest}/switchover`, { method: 'POST', body })
      if (answer.status !== 200) throw new Error(`Patroni refuses to switch over: ${await answer.text()}`)
    },
  }
}

/** Runs a statement as the superuser; returns the first value. */
async function ask(port: number, text: string): Promise<number> {
  const client = new Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres', query_timeout: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query({ text, rowMode: 'array' })
    return Number(rows[0]?.[0])
  } finally {
    await client.end().catch(() => {})
  }
}

async function startEtcd(host: Host, { etcd }: Programs, ports: { etcdPort: number; peerPort: number }): Promise<void> {
  const client = `http://127.0.0.1:${ports.etcdPort}`
  const peer = `http://127.0.0.1:${ports.peerPort}`
  await startProgram(host, join(host.folder, 'etcd.log'), etcd, [
    ...['--name', 'etcd', '--data-dir', join(host.folder, 'etcd')],
    ...['--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', `etcd=${peer}`],
  ])
  await until('etcd is healthy', () =>
    fetch(`${client}/health`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
}

async function startProxy(host: Host, { haproxy }: Programs, members: readonly Member[], port: number): Promise<void> {
  const text = await readFile(template, 'utf8')
  const own = text
    .replace('127.0.0.1:5000\n', `127.0.0.1:${port}\n`)
    .replaceAll(/^( +server (\w+)) \S+ check port \d+$/gm, (_, server, name) => {
      const member = members.find((each) => each.name === name)
      return `${server} 127.0.0.1:${member?.port} check port ${member && new URL(member.rest).port}`
    })
  const config = join(host.folder, 'haproxy.cfg')
  await writeFile(config, own)
  await startProgram(host, join(host.folder, 'haproxy.log'), haproxy, ['-db', '-f', config])
  // Before its first checks the proxy takes turns among all members.
  const isLeader = () => ask(port, 'select (not pg_is_in_recovery())::int').catch(() => 0)
  await until('the proxy leads to the leader alone', async () => {
    const answers = await Promise.all([...members, ...members].map(isLeader))
    return answers.every((answer) => answer === 1)
  })
}
