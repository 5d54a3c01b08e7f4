/** Manifests of package managers. They are written, and published by a person. */

interface Product {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
}

/** Content of `release.json`: the version, and every file with its sum. */
export interface Release {
  readonly version: string
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[]
}

/** @param from where the files of a version are: FROM/VERSION/NAME. @returns the text of each manifest, by its path */
export function manifests(product: Product, { version, files }: Release, from: string): Record<string, string> {
  const of = (target: string) => {
    const found = files.find(({ name }) => new RegExp(`-${target}\\.(?:zip|tar\\.xz)$`).test(name))
    if (found === undefined) throw new Error(`There is no package for ${target}.`)
    return { url: `${from}/${version}/${found.name}`, sha256: found.sha256 }
  }
  return {
    'homebrew/seller.rb': homebrew(product, from, of),
    'scoop/seller.json': scoop(product, from, of),
    ...winget(product, from, of),
  }
}

type Of = (target: string) => { readonly url: string; readonly sha256: string }

function homebrew({ version, description, license }: Product, from: string, of: Of): string {
  const on = (target: string, cpu: string) =>
    `    on_${cpu} do\n      url "${of(target).url}"\n      sha256 "${of(target).sha256}"\n    end\n`
  return `class Seller < Formula
  desc "${description.replace(/\.$/, '')}"
  homepage "${from}"
  version "${version}"
  license "${license}"

  on_macos do
${on('darwin-arm64', 'arm')}${on('darwin-x64', 'intel')}  end
  on_linux do
${on('linux-arm64', 'arm')}${on('linux-x64', 'intel')}  end

  def install
    libexec.install Dir["*"]
    bin.write_exec_script libexec/"seller"
    man1.install Dir[libexec/"man/man1/*.1"]
    bash_completion.install libexec/"completions/seller.bash" => "seller"
    zsh_completion.install libexec/"completions/_seller"
    fish_completion.install libexec/"completions/seller.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/seller --version")
  end
end
`
}

function scoop({ version, description, license }: Product, from: string, of: Of): string {
  const on = (target: string) => ({ url: of(target).url, hash: of(target).sha256, extract_dir: `seller-${target}` })
  const architecture = { '64bit': on('win-x64'), arm64: on('win-arm64') }
  return `${JSON.stringify({ version, description, homepage: from, license, architecture, bin: 'seller.cmd' }, undefined, 4)}\n`
}

/** Three files for each version; a portable program in a zip has an alias of its own. */
function winget({ name, version, description, license }: Product, from: string, of: Of): Record<string, string> {
  const id = `${name[0]?.toUpperCase()}${name.slice(1)}.${name[0]?.toUpperCase()}${name.slice(1)}`
  const head = `PackageIdentifier: ${id}\nPackageVersion: ${version}\n`
  const tail = (type: string) => `ManifestType: ${type}\nManifestVersion: 1.6.0\n`
  const installer = (target: string, cpu: string, file: string) => `  - Architecture: ${cpu}
    InstallerUrl: ${of(target).url}
    InstallerSha256: ${of(target).sha256.toUpperCase()}
    NestedInstallerFiles:
      - RelativeFilePath: ${file}
        PortableCommandAlias: seller
`
  return {
    [`winget/${id}.yaml`]: `${head}DefaultLocale: en-US\n${tail('version')}`,
    [`winget/${id}.locale.en-US.yaml`]: `${head}PackageLocale: en-US\nPublisher: ${name}\nPublisherUrl: ${from}\nPackageName: ${name}\nLicense: ${license}\nShortDescription: ${description}\n${tail('defaultLocale')}`,
    [`winget/${id}.installer.yaml`]: `${head}InstallerType: zip\nNestedInstallerType: portable\nInstallers:\n${installer('win-x64-single', 'x64', 'seller-win-x64-single\\seller.exe')}${tail('installer')}`,
  }
}
