#import <UIKit/UIKit.h>

NS_ASSUME_NONNULL_BEGIN

/// A screen of an app that is written in Objective-C.
@interface LegacyController : UIViewController
@end

NS_ASSUME_NONNULL_END
