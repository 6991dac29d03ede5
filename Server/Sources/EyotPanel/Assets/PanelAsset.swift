import Crypto
import EyotContract
import EyotDomain
import EyotHTTP

/// A file that pages load. Its path changes with its content, so browsers keep it for as long as they like.
struct PanelAsset {
    let path: String
    let text: String
    let type: String

    init(_ name: String, _ type: String, _ text: String) {
        let digest = HexBytes.text(of: SHA256.hash(data: Array(text.utf8)).prefix(6))
        path = "/panel/assets/\(digest)/\(name)"
        self.text = text
        self.type = type
    }
}

/// All files that pages load.
enum PanelAssets {
    static let style = PanelAsset(
        "panel.css", "text/css; charset=utf-8",
        PanelStyle.all.joined(separator: "\n"))
    static let script = PanelAsset("panel.js", "text/javascript; charset=utf-8", PanelScript.text)

    static let all = [style, script]
}

/// Routes of the files that pages load. They hold nothing of an app, so they need no session.
struct AssetRoutes {
    var routes: [Route] {
        PanelAssets.all.map { asset in
            Route.answer(.get, asset.path, on: PanelPlane(), .anybody) { _ in
                var answer = Answer(.ok, nil)
                answer.text = asset.text
                answer.headers[.contentType] = asset.type
                answer.headers[.cacheControl] = "public, max-age=31536000, immutable"
                answer.headers[.xContentTypeOptions] = "nosniff"
                return answer
            }
        }
    }
}
