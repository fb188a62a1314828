# Downloads the newest release of Throughline for Windows, verifies its sum and installs it for this user.
#   .\install.ps1 [what `throughline install` takes ...]
# $env:THROUGHLINE_VERSION names another release, $env:THROUGHLINE_RELEASES another place that releases are at.
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'

$releases = if ($env:THROUGHLINE_RELEASES) { $env:THROUGHLINE_RELEASES } else { '@RELEASES@' }
if (-not $releases) { throw 'THROUGHLINE_RELEASES must say where releases are' }
$from = if ($env:THROUGHLINE_VERSION) { "$releases/download/v$env:THROUGHLINE_VERSION" } else { "$releases/latest/download" }
# Windows on ARM runs x64 programs.
if (-not [Environment]::Is64BitOperatingSystem) { throw 'there is no release for 32-bit Windows' }
$archive = 'throughline-windows-x64.zip'

$folder = Join-Path ([IO.Path]::GetTempPath()) "throughline-$([Guid]::NewGuid())"
New-Item -ItemType Directory -Path $folder | Out-Null
try {
  Invoke-WebRequest -UseBasicParsing -Uri "$from/SHA256SUMS" -OutFile "$folder\SHA256SUMS"
  Invoke-WebRequest -UseBasicParsing -Uri "$from/$archive" -OutFile "$folder\$archive"
  $line = Get-Content "$folder\SHA256SUMS" | Where-Object { $_.EndsWith("  $archive") }
  if (-not $line) { throw "SHA256SUMS does not name $archive" }
  $sum = (Get-FileHash -Algorithm SHA256 "$folder\$archive").Hash
  if ($sum -ne $line.Split(' ')[0]) { throw "the sum of $archive is not the one in SHA256SUMS; nothing was installed" }
  Expand-Archive -Path "$folder\$archive" -DestinationPath $folder
  $program = (Get-ChildItem -Path $folder -Recurse -Filter throughline.exe | Select-Object -First 1).FullName
  & $program install @args
  if ($LASTEXITCODE -ne 0) { throw "throughline install ended with $LASTEXITCODE" }
} finally {
  Remove-Item -Recurse -Force $folder -ErrorAction SilentlyContinue
}
