class Enginebridge < Formula
  desc "Lets any client of the container Engine API talk to any engine"
  homepage "@repository@"
  version "@version@"
  license "Apache-2.0"

  depends_on :linux

  on_intel do
    url "@repository@/releases/download/v@version@/enginebridge-@version@-linux-x64.tar.gz"
    sha256 "@x64@"
  end
  on_arm do
    url "@repository@/releases/download/v@version@/enginebridge-@version@-linux-arm64.tar.gz"
    sha256 "@arm64@"
  end

  def install
    libexec.install "enginebridge", "lib"
    bin.install_symlink libexec/"enginebridge"
    man1.install "enginebridge.1"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/enginebridge version")
  end
end
