import EyotContract
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// The wall over HTTP: the page with its style and script, the stream of changes, and the picture.
struct WallResponses: Sendable {
    let lab: Lab
    let access: ControlAccess

    /// Answers a request for a part of the wall; nil for all others.
    func response(to request: Request, _ facts: ControlAccess.Request) async throws -> Response? {
        guard request.method == .get else { return nil }
        switch request.uri.path {
        case "/wall.css", "/wall.js", "/wall-icon.svg":
            // They are the same in each lab, and tell nothing about it.
            try access.checkHost(facts)
            switch request.uri.path {
            case "/wall.css": return Self.text(WallStyle.text, "text/css")
            case "/wall.js": return Self.text(WallScript.text, "text/javascript")
            default: return Self.text(WallPage.icon, "image/svg+xml")
            }
        case "/phones" where wantsPage(request) || request.uri.queryParameters["pass"] != nil:
            return try page(request, facts)
        case "/phones/wall.svg":
            try access.check(facts)
            return Self.text(await lab.wallSVG(), "image/svg+xml")
        case "/phones/stream":
            try access.check(facts)
            return try stream()
        default: return nil
        }
    }

    private func wantsPage(_ request: Request) -> Bool {
        request.headers[.accept]?.contains("text/html") == true && request.uri.queryParameters["view"] == nil
    }

    /// Answers the page. The pass in the printed address becomes a cookie, and leaves the address.
    private func page(_ request: Request, _ facts: ControlAccess.Request) throws -> Response {
        try access.checkHost(facts)
        if let pass = request.uri.queryParameters["pass"] {
            guard ControlAccess.areEqual(String(pass), Lab.wallPass(of: access.secret)) else { return Self.locked }
            let cookie = "\(access.cookieName)=\(access.cookie); Path=/; HttpOnly; SameSite=Lax"
            var response = Response(status: .seeOther, headers: Self.guards)
            response.headers[.location] = "/phones"
            response.headers[.setCookie] = cookie
            return response
        }
        do {
            // A link from another page may lead here. What the page then does is checked request by request.
            var own = facts
            own.fetchSite = nil
            try access.check(own)
        } catch {
            guard error.status == 401 else { throw error }
            return Self.locked
        }
        return Self.text(WallPage.text, "text/html")
    }

    private func stream() throws(ControlProblem) -> Response {
        guard let messages = lab.wall.viewers.join() else {
            throw ControlProblem(503, "tooManyViewers", "\(WallViewers.limit) pages are open already")
        }
        var response = Response(status: .ok, headers: Self.guards)
        response.headers[.contentType] = "text/event-stream"
        response.headers[.cacheControl] = "no-store"
        response.body = ResponseBody { writer in
            try await writer.write(ByteBuffer(string: "retry: 1000\n\n"))
            for await message in messages { try await writer.write(ByteBuffer(bytes: message)) }
            try await writer.finish(nil)
        }
        return response
    }

    // MARK: Headers

    /// The page for a browser without the cookie.
    private static var locked: Response {
        var response = text(WallPage.locked, "text/html")
        response.status = .unauthorized
        return response
    }

    /// What keeps other pages and other hosts out.
    private static var guards: HTTPFields {
        var fields = HTTPFields()
        for (name, value) in [
            ("Content-Security-Policy", contentPolicy), ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
        ] {
            if let field = HTTPField.Name(name) { fields[field] = value }
        }
        return fields
    }

    private static let contentPolicy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
        base-uri 'none'; form-action 'none'; frame-ancestors 'none'
        """

    private static func text(_ text: String, _ type: String) -> Response {
        var headers = guards
        headers[.contentType] = "\(type); charset=utf-8"
        headers[.cacheControl] = "no-store"
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
